-- Counter-payments give the money of a cancelled invoice back. No row is rewritten. Locks, in this order: the invoice,
-- the counter of the numbers, the payments by id, the till (shared).

create function finances._facture_payeurs(p_id_facture bigint) returns table (id_paiement bigint, montant numeric)
language sql stable
begin atomic
  select coalesce(p.id_paiement_origine, p.id_paiement), sum(a.montant)
    from finances.imputation_vue a
    join finances.paiement p on p.id_paiement = a.id_paiement
   where a.id_facture = p_id_facture
   group by 1
  having sum(a.montant) > 0;
end;
comment on function finances._facture_payeurs is 'Encaissements qui règlent encore une facture, et de combien.';

create function finances._facture_rembourser(
  p_id_facture bigint, p_montant numeric, p_motif core.texte, p_reference core.libelle, p_id_moyen bigint default null,
  p_id_caisse bigint default null)
returns bigint[]
language plpgsql volatile as $$
begin
  perform from finances.paiement p
    where p.id_paiement in (select x.id_paiement from finances._facture_payeurs(p_id_facture) x)
    order by p.id_paiement for no key update;
  return array(
    select finances._paiement_rendre(x.id_paiement, x.montant, p_motif, p_reference, p_id_moyen,
                                     p_id_caisse => p_id_caisse, p_id_facture => p_id_facture)
      from (select y.id_paiement, least(y.montant, p_montant - y.avant) as montant
              from (select z.id_paiement, z.montant, coalesce(sum(z.montant) over (
                             order by z.id_paiement desc rows between unbounded preceding and 1 preceding), 0) as avant
                      from finances._facture_payeurs(p_id_facture) z) y
             where y.avant < p_montant
             order by y.id_paiement) x);
end $$;
comment on function finances._facture_rembourser is
  'Rend ce montant de ce qu''une facture a reçu, des derniers paiements d''abord, chacun par son moyen si aucun n''est donné, et rend les paiements contraires : de la caisse de l''utilisateur, sinon de celle donnée, sinon de celle d''origine si elle est ouverte, sinon sans caisse. Refuse PERIODE_CAISSE_FERMEE, CAISSE_INACTIVE, MOYEN_PAIEMENT_INACTIF.';
-- Each payment gives back a part that it still pays here. A deposit pays no invoice.
call core.ne_refuse_pas('finances._facture_rembourser', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION');

create function finances._facture_annuler(
  p_id_facture bigint, p_motif core.texte, p_id_caisse bigint default null)
returns facturation.facture_solde
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite())
     for update;
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE', format('La facture %s est déjà annulée.', v.numero));
  end if;
  perform facturation._facture_crediter_reste(p_id_facture, p_motif);
  perform finances._facture_rembourser(p_id_facture, v.montant_paye - v.montant_credit, p_motif, v.numero,
                                       p_id_caisse => p_id_caisse);
  return facturation._facture_solde(p_id_facture);
end $$;
comment on function finances._facture_annuler is
  'Annule une facture : un avoir crédite ce qui en reste, et ce qu''elle a reçu est rendu, sauf ce que le client a déjà à son crédit, de la caisse donnée si l''utilisateur n''en a pas. Refuse NOT_FOUND, FACTURE_ANNULEE, PERIODE_CAISSE_FERMEE, CAISSE_INACTIVE.';
-- Each payment goes back by its own method: what came from the credit of a client returns to it.
call core.ne_refuse_pas('finances._facture_annuler', 'MOYEN_PAIEMENT_INACTIF', 'CREDIT_SANS_CLIENT');

create function finances._annulation_directe_verifier(p_facture facturation.facture) returns void
language plpgsql stable as $$
declare
  v_operation text := case (p_facture).source_type
    when 'VENTE' then format('POST /market/ventes/%s/annuler', (p_facture).source_id)
    when 'COMMANDE_RESTAURANT' then format('POST /restaurant/commandes/%s/annuler', (p_facture).source_id)
    when 'RESERVATION_FETE' then format('POST /salle-fete/reservations/%s/annuler', (p_facture).source_id)
    when 'SEJOUR' then format('PATCH /residence/sejours/%s, statut ANNULE', (p_facture).source_id) end;
begin
  if v_operation is not null then
    perform core.refuser(409, 'ANNULATION_PAR_SA_SOURCE',
      format('La facture %s ne s''annule pas seule : annulez %s, et l''argent sera rendu.', (p_facture).numero,
             case (p_facture).source_type when 'VENTE' then 'la vente' when 'COMMANDE_RESTAURANT' then 'la commande'
                                          when 'RESERVATION_FETE' then 'la réservation' else 'le séjour' end),
      jsonb_build_object('operation', v_operation));
  end if;
end $$;
comment on function finances._annulation_directe_verifier is 'Ce qui a sa propre annulation s''annule par elle.';
