-- Locks, in this order: the advisory lock on the payment, the leases by id, the invoices by id, the payment, the
-- counter of the numbers.

create type finances.paiement_applique as (
  paiement finances.paiement_vue, montant_applique core.montant, facture facturation.facture_solde, numero text);
comment on type finances.paiement_applique is 'Paiement, et la facture que son excédent vient de régler.';
comment on column finances.paiement_applique.numero is 'Numéro de la facture.';
call core.peut_etre_null('finances.paiement_applique', 'facture', 'numero');

create function finances.paiement_appliquer(
  p_id_paiement bigint, p_id_facture bigint default null, p_id_echeance bigint default null,
  p_montant core.montant_du_reglement default null)
returns finances.paiement_applique
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_facture facturation.facture;
  v_montant numeric;
  v_libre numeric;
  v finances.paiement_applique;
begin
  perform finances._paiement_verrouiller(p_id_paiement, p_id_facture, p_id_echeance);
  if num_nonnulls(p_id_facture, p_id_echeance) <> 1 then
    perform core.refuser(400, 'CIBLE_UNIQUE', 'Donnez une facture ou une échéance, l''une ou l''autre.');
  end if;
  v_facture := finances._facture_a_regler(p_id_facture, p_id_echeance);
  perform finances._meme_client(p_id_paiement, v_facture.id_client);
  v_montant := finances._paiement_excedent(
    p_id_paiement, coalesce(p_montant, least(finances._paiement_disponible(p_id_paiement), v_facture.reste)));
  if v_montant = 0 then
    perform core.refuser(409, 'SURPAIEMENT', 'Cette facture est déjà payée.', jsonb_build_object('reste', '0.00'));
  end if;
  v_libre := least(v_montant, finances._paiement_libre(p_id_paiement));
  if v_libre > 0 then
    insert into finances.application_paiement (id_paiement, id_facture, montant, jour)
    values (p_id_paiement, v_facture.id_facture, v_libre, core.aujourdhui());
  end if;
  -- The excess of a closed lease is the credit of the client.
  if v_montant > v_libre then
    perform finances._facture_payer(v_facture.id_facture, v_montant - v_libre, (
      select m.id_moyen from finances.moyen_paiement m where m.credit));
  end if;
  select p into strict v.paiement from finances.paiement_vue p where p.id_paiement = p_id_paiement;
  v.montant_applique := v_montant;
  v.facture := facturation._facture_solde(v_facture.id_facture);
  v.numero := v_facture.numero;
  return v;
end $$;
comment on function finances.paiement_appliquer is
  'Applique ce qu''un paiement a de trop à une facture ou à une échéance du même client, autant qu''il en faut par défaut ; aucun argent ne bouge. Une échéance sans facture reçoit la sienne.';
-- The credit is in no till, and has a client.
call core.ne_refuse_pas('finances.paiement_appliquer', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'CREDIT_SANS_CLIENT');
-- A payment may have nothing left.
call core.peut_refuser('finances.paiement_appliquer', 'APPLICATION_NON_NULLE');

create function finances._facture_a_regler(p_id_facture bigint, p_id_echeance bigint) returns facturation.facture
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  if p_id_echeance is not null then
    return residence._echeance_facturer(p_id_echeance);
  end if;
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE', 'Cette facture est annulée : elle ne se paie plus.');
  end if;
  return v;
end $$;
comment on function finances._facture_a_regler is 'La facture donnée, ou celle d''une échéance, au besoin émise ici.';

create function finances._meme_client(p_id_paiement bigint, p_id_client bigint) returns void
language plpgsql stable as $$
begin
  if exists (select from finances.paiement p
              where p.id_paiement = p_id_paiement and p.id_client is not null
                and p.id_client is distinct from p_id_client)
     or exists (select from finances._paiement_factures(p_id_paiement) x
                  join facturation.facture f on f.id_facture = x.id_facture
                 where f.id_client is distinct from p_id_client) then
    perform core.refuser(409, 'CLIENT_DIFFERENT', 'Cet argent est celui d''un autre client.');
  end if;
end $$;
comment on function finances._meme_client is 'L''argent d''un client ne règle que ses factures.';
