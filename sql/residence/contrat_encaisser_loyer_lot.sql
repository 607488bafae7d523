-- Locks, in this order: the lease, the invoices of its instalments by id, the instalments by id, the till (shared), the
-- counter of the numbers. The rest to pay is read after the locks, so that no amount is applied twice.

create type residence.part_encaissee as (
  id_echeance bigint, montant_applique core.montant, statut residence.statut_echeance,
  facture facturation.facture_solde);
comment on type residence.part_encaissee is 'Part d''un paiement appliquée à une échéance.';
comment on column residence.part_encaissee.facture is 'Facture de l''échéance, après le paiement.';

create type residence.encaissement_lot as (
  id_paiement bigint, montant_total core.montant, montant_applique core.nombre_signe,
  echeances residence.part_encaissee[], reste core.montant, statut facturation.statut_facture,
  montant_non_affecte core.nombre_signe, avertissement text);
comment on type residence.encaissement_lot is 'Paiement réparti sur les échéances d''un contrat.';
comment on column residence.encaissement_lot.montant_total is 'Montant du paiement.';
comment on column residence.encaissement_lot.reste is 'Ce qui reste à payer des échéances réglées.';
comment on column residence.encaissement_lot.statut is 'PAYEE si les échéances réglées le sont toutes, PARTIELLE sinon ; null si aucune n''était à payer.';
comment on column residence.encaissement_lot.montant_non_affecte is 'Ce qui dépasse les échéances à payer, null sinon.';
comment on column residence.encaissement_lot.avertissement is 'Dit ce qui n''a pas trouvé d''échéance, null sinon.';
call core.peut_manquer('residence.encaissement_lot', 'statut', 'montant_non_affecte', 'avertissement');

create function residence.contrat_encaisser_loyer_lot(
  p_id_contrat bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_date timestamptz default null)
returns residence.encaissement_lot
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrat residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_parts facturation.source_a_regler[];
  v_reference text := 'LOYER-' || v_contrat.numero_contrat;
  v_reglees facturation.sources_reglees;
  v residence.encaissement_lot;
begin
  perform residence._echeances_verrouiller(array(
    select e.id_echeance from residence.echeance e
     where e.id_contrat = p_id_contrat and not e.annulee and e.montant_paye < e.montant));
  with a_payer as (
    select e, e.montant - e.montant_paye as reste,
           coalesce(sum(e.montant - e.montant_paye) over (order by e.annee, e.mois
                      rows between unbounded preceding and 1 preceding), 0) as avant
      from residence.echeance e
     where e.id_contrat = p_id_contrat and not e.annulee and e.montant_paye < e.montant)
  select coalesce(array_agg(
           residence._loyer_a_regler(v_contrat.numero_contrat, a.e, least(a.reste, p_montant - a.avant))
           order by (a.e).date_echeance), '{}'),
         case when count(*) = 1
              then residence._reference_loyer(v_contrat.numero_contrat, min((a.e).mois), min((a.e).annee))
              else v_reference end
    into v_parts, v_reference
    from a_payer a where a.avant < p_montant;
  v.montant_total := p_montant;
  v_reglees := finances._sources_regler(
    p_sources => v_parts, p_id_activite => residence._activite(), p_id_client => v_contrat.id_client,
    p_montant => p_montant, p_id_moyen => p_id_moyen, p_date => p_date,
    p_motif => 'Loyer ' || v_contrat.numero_contrat, p_reference => v_reference);
  v.id_paiement := v_reglees.id_paiement;
  select coalesce(array_agg(
           row(e.id_echeance, p.montant, e.statut, f)::residence.part_encaissee order by e.date_echeance), '{}'),
         coalesce(sum(p.montant), 0), coalesce(sum(f.reste), 0),
         (case when bool_and(f.statut = 'PAYEE') then 'PAYEE'
               when count(*) > 0 then 'PARTIELLE' end)::facturation.statut_facture
    into v.echeances, v.montant_applique, v.reste, v.statut
    from unnest(v_parts) with ordinality as p (source_type, source_id, libelle, lignes, remise, montant, rang)
    join residence.echeance_vue e on e.id_echeance = p.source_id
   cross join lateral facturation._facture_solde(v_reglees.factures[p.rang]) f;
  if p_montant > v.montant_applique then
    v.montant_non_affecte := p_montant - v.montant_applique;
    v.avertissement := format('Toutes les échéances créées sont payées : %s restent sans échéance.',
                              core.montant_ecrire(v.montant_non_affecte));
  end if;
  return v;
end $$;
comment on function residence.contrat_encaisser_loyer_lot is
  'Encaisse plusieurs échéances d''un contrat par un seul paiement : la plus ancienne impayée d''abord, chacune remplie avant la suivante, les échéances à venir comprises. Ce qui dépasse est encaissé et annoncé dans montant_non_affecte.';
-- Each instalment gets its rest at most.
call core.ne_refuse_pas('residence.contrat_encaisser_loyer_lot', 'SURPAIEMENT');
