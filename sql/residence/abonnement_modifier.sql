-- Locks, in this order: the subscription, its invoice, the counter of invoices, the counter of credit notes.

create type residence.abonnement_champs as (
  id_client bigint, id_logement bigint, service core.libelle, type residence.type_abonnement, montant core.montant,
  date_debut date, date_fin date, montant_paye core.montant, statut residence.statut_abonnement,
  id_categorie_abonnement bigint);
comment on type residence.abonnement_champs is 'Ce qui se modifie d''un abonnement ; montant_paye est tenu par la base, celui envoyé ne sert pas.';
call core.peut_etre_null('residence.abonnement_champs', 'montant_paye');

create function residence.abonnement_modifier(p_id_abonnement bigint, p_champs jsonb) returns residence.abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_avant residence.abonnement := residence._abonnement_verrouiller(p_id_abonnement);
  v residence.abonnement := jsonb_populate_record(v_avant, p_champs);
begin
  if v.id_categorie_abonnement is distinct from v_avant.id_categorie_abonnement then
    perform residence._categorie_abonnement_active(v.id_categorie_abonnement);
  end if;
  -- A period that began before the suspension is due. A period that begins during it is not.
  if v.statut <> v_avant.statut then
    perform residence._abonnements_facturer(array[p_id_abonnement]);
    v.id_facture := (select a.id_facture from residence.abonnement a where a.id_abonnement = p_id_abonnement);
  end if;
  update residence.abonnement a
     set (id_client, id_logement, service, type, montant, date_debut, date_fin, statut, id_categorie_abonnement)
       = row(v.id_client, v.id_logement, v.service, v.type, v.montant, v.date_debut, v.date_fin, v.statut,
             v.id_categorie_abonnement)
   where a.id_abonnement = p_id_abonnement;
  if (v.montant, v.id_client) <> (v_avant.montant, v_avant.id_client) then
    perform residence._abonnement_refacturer(v);
  end if;
  return residence.abonnement_detail(p_id_abonnement);
end $$;
comment on function residence.abonnement_modifier is
  'Modifie un abonnement, le suspend, le reprend ou le clôt. Un autre montant ou un autre client annule la facture de sa dernière période et en émet une autre, tant que rien n''en est payé ; les périodes suivantes ont ce montant. Son type et son premier jour ne changent pas : résilié, un autre le remplace. Suspendu, ses périodes passent sans facture.';

create function residence._abonnement_refacturer(v residence.abonnement) returns void
language plpgsql volatile as $$
declare
  v_facture facturation.facture;
  v_periode record;
  v_id_facture bigint;
begin
  select * into strict v_facture from facturation.facture f where f.id_facture = v.id_facture for update;
  if v_facture.montant_paye > 0 then
    perform core.refuser(409, 'ABONNEMENT_PAYE',
      'Cet abonnement est payé, en tout ou en partie : son montant et son client ne changent plus. Résiliez-le, puis ouvrez-en un autre.');
  end if;
  select p.date_debut, p.date_fin into strict v_periode
    from residence.abonnement_periode p where p.id_abonnement = v.id_abonnement and p.id_facture = v.id_facture;
  v_id_facture := residence._abonnement_facturer(v, v_periode.date_debut, v_periode.date_fin);
  if not v_facture.annulee then
    perform finances._facture_annuler(v.id_facture, 'Abonnement modifié');
  end if;
  update residence.abonnement_periode p set id_facture = v_id_facture
   where p.id_abonnement = v.id_abonnement and p.date_debut = v_periode.date_debut;
  update residence.abonnement a set id_facture = v_id_facture where a.id_abonnement = v.id_abonnement;
end $$;
comment on function residence._abonnement_refacturer is
  'Émet une autre facture de la dernière période d''un abonnement et annule la première, impayée. Refuse ABONNEMENT_PAYE.';
-- The cancelled invoice is live and unpaid.
call core.ne_refuse_pas('residence._abonnement_refacturer', 'FACTURE_ANNULEE', 'PERIODE_CAISSE_FERMEE',
  'CAISSE_INACTIVE');
