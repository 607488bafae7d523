-- Locks, in this order: the advisory lock on the payment, the leases by id, the invoices by id, the payment, the till
-- (shared), the client.

create type finances.paiement_annule as (
  paiement finances.paiement_vue, contraire finances.paiement_vue, factures facturation.facture_solde[]);
comment on type finances.paiement_annule is 'Paiement annulé, le paiement contraire qui l''annule, et les factures qu''il ne règle plus.';
comment on column finances.paiement_annule.contraire is 'Décaissement de ce qui n''était pas encore rendu.';

create function finances.paiement_annuler(
  p_id_paiement bigint, p_motif core.texte, p_id_caisse bigint default null)
returns finances.paiement_annule
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.paiement := finances._paiement_verrouiller(p_id_paiement);
  v_factures bigint[];
  v_id_contraire bigint;
  v_resultat finances.paiement_annule;
begin
  perform finances._paiement_annulable(v);
  v_factures := array(select x.id_facture from finances._paiement_factures(p_id_paiement) x order by x.id_facture);
  perform finances._credit_rendu_reprendre(v, p_motif);
  v_id_contraire := finances._paiement_rendre(
    p_id_paiement, finances._paiement_non_rendu(v), p_motif, v.reference, p_annulation => true,
    p_id_caisse => p_id_caisse);
  perform finances._credit_reprendre(x.id_facture, x.montant, v_id_contraire)
     from (select * from finances._paiement_factures(p_id_paiement) order by id_facture) x;
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  select v_id_contraire, x.id_facture, -x.montant
    from finances._paiement_factures(p_id_paiement) x order by x.id_facture;
  select p into strict v_resultat.paiement from finances.paiement_vue p where p.id_paiement = p_id_paiement;
  select p into strict v_resultat.contraire from finances.paiement_vue p where p.id_paiement = v_id_contraire;
  v_resultat.factures := array(
    select facturation._facture_solde(f) from unnest(v_factures) with ordinality x (f, rang) order by rang);
  return v_resultat;
end $$;
comment on function finances.paiement_annuler is
  'Annule un encaissement saisi par erreur, une seule fois : ce qui en a été rendu au crédit du client y est repris, un paiement contraire rend le reste, et ce qu''il réglait redevient dû.';
-- The money goes back to where it came from, by its original method, and the amounts paid of invoices decrease.
call core.ne_refuse_pas('finances.paiement_annuler', 'CREDIT_SANS_CLIENT', 'MOYEN_PAIEMENT_INACTIF', 'SURPAIEMENT',
  'FACTURE_ANNULEE');

create function finances._paiement_non_rendu(p_paiement finances.paiement) returns numeric
language sql stable
return (p_paiement).montant - finances._paiement_rendu((p_paiement).id_paiement);
comment on function finances._paiement_non_rendu is 'Ce qui d''un encaissement n''a pas encore été rendu.';

create function finances._credit_rendu(p_paiement finances.paiement) returns numeric
language sql stable
return (select coalesce(sum(finances._sortie(c)), 0)
          from finances.paiement c
         where c.id_paiement_origine = (p_paiement).id_paiement and c.credit and not (p_paiement).credit);
comment on function finances._credit_rendu is 'Ce qu''un encaissement d''argent a rendu au crédit du client.';

-- The money of the payment never came, so that the client has no credit from it either.
create function finances._credit_rendu_reprendre(p_paiement finances.paiement, p_motif core.texte) returns void
language sql volatile as $$
  insert into finances.paiement (type, montant, id_moyen, id_activite, motif, reference, id_paiement_origine, id_client)
  select 'ENCAISSEMENT', finances._credit_rendu(p_paiement), min(c.id_moyen), (p_paiement).id_activite, p_motif,
         (p_paiement).reference, (p_paiement).id_paiement, min(c.id_client)
    from finances.paiement c
   where c.id_paiement_origine = (p_paiement).id_paiement and c.credit and c.type = 'DECAISSEMENT'
  having finances._credit_rendu(p_paiement) > 0;
$$;
comment on function finances._credit_rendu_reprendre is 'Reprend au crédit ce qu''un encaissement y a rendu.';

create function finances._paiement_annulable(p_paiement finances.paiement) returns void
language plpgsql stable as $$
declare
  v_facture facturation.facture;
begin
  if (p_paiement).type <> 'ENCAISSEMENT' or (p_paiement).id_paiement_origine is not null then
    perform core.refuser(409, 'PAIEMENT_NON_ANNULABLE',
      'Un décaissement ne s''annule pas ici : seul de l''argent reçu par erreur s''annule.');
  elsif exists (select from finances.paiement c
                 where c.id_paiement_origine = (p_paiement).id_paiement and c.annulation) then
    perform core.refuser(409, 'PAIEMENT_DEJA_ANNULE', 'Ce paiement est déjà annulé.');
  elsif finances._paiement_non_rendu(p_paiement) + finances._credit_rendu(p_paiement) = 0 then
    perform core.refuser(409, 'PAIEMENT_DEJA_RENDU', 'Ce paiement est déjà rendu en entier.');
  end if;
  select f.* into v_facture
    from finances._paiement_factures((p_paiement).id_paiement) x
    join facturation.facture f on f.id_facture = x.id_facture
   where f.source_type in ('VENTE', 'COMMANDE_RESTAURANT', 'RESERVATION_FETE') and not f.annulee
     and not facturation._reservation_realisee(f)
   order by f.id_facture limit 1;
  if found then
    perform finances._annulation_directe_verifier(v_facture);
  end if;
end $$;
comment on function finances._paiement_annulable is 'Refuse un paiement qui ne peut pas s''annuler.';
