-- Cancelling what was paid: the money goes back by counter-payments, then the invoice is void. Nothing is rewritten.
-- Locks, in this order: the invoice, the till (shared).

create function facturation._facture_annuler(p_id_facture bigint, p_motif core.texte) returns facturation.facture_solde
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and (core.activite() is null or f.id_activite = core.activite())
     for update;
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE', format('La facture %s est déjà annulée.', v.numero));
  end if;
  with recu as (
    select p.id_paiement, p.id_moyen, p.id_activite, p.id_caisse, a.montant
      from (select a.id_paiement, sum(a.montant) as montant from finances.application_paiement a
             where a.id_facture = p_id_facture group by a.id_paiement) a
      join finances.paiement p on p.id_paiement = a.id_paiement
     where p.type = 'ENCAISSEMENT'
  ), rendu as (
    insert into finances.paiement (type, montant, id_moyen, id_activite, id_caisse, motif, reference, id_paiement_origine)
    select 'DECAISSEMENT', r.montant, r.id_moyen, r.id_activite, r.id_caisse, p_motif, v.numero, r.id_paiement
      from recu r order by r.id_paiement
    returning id_paiement, montant
  )
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  select r.id_paiement, p_id_facture, -r.montant from rendu r;
  update facturation.facture f set annulee = true where f.id_facture = p_id_facture;
  return facturation._facture_solde(p_id_facture);
end $$;
comment on function facturation._facture_annuler(bigint, core.texte) is
  'Annule une facture : chaque paiement reçu est rendu par un paiement contraire, de la caisse de l''utilisateur ou sinon de celle d''origine. Refuse NOT_FOUND, FACTURE_ANNULEE, PERIODE_CAISSE_FERMEE, CAISSE_INACTIVE.';
