-- Locks, in this order: the room and the category (shared), the counter of the invoices.

create function residence.charge_creer(
  p_id_logement bigint, p_id_categorie_charge bigint, p_periode core.periode, p_montant core.montant,
  p_compteur_numero core.libelle default null, p_lecture_debut residence.releve default null,
  p_lecture_fin residence.releve default null, p_consommation residence.releve default null)
returns residence.charge_facturee_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_logement residence.logement;
  v_categorie residence.categorie_charge;
  v_id_charge bigint;
begin
  -- An unknown room or category passes: the foreign keys of the charge refuse it.
  select * into v_logement from residence.logement l where l.id_logement = p_id_logement for share;
  if v_logement.statut <> 'OCCUPE' then
    perform core.refuser(409, 'LOGEMENT_INOCCUPE',
      format('Le logement %s n''est pas occupé : une charge se facture à un occupant.', v_logement.numero));
  end if;
  select * into v_categorie from residence.categorie_charge c
   where c.id_categorie_charge = p_id_categorie_charge for share;
  if not v_categorie.actif then
    perform core.refuser(409, 'CATEGORIE_CHARGE_INACTIVE',
                         format('La catégorie « %s » est désactivée.', v_categorie.libelle));
  end if;
  insert into residence.charge_facturee as c (id_logement, id_categorie_charge, id_client, periode, compteur_numero,
                                              lecture_debut, lecture_fin, consommation, montant)
  values (p_id_logement, p_id_categorie_charge, residence._occupant(p_id_logement), p_periode, p_compteur_numero,
          p_lecture_debut, p_lecture_fin, p_consommation, p_montant)
  returning c.id_charge into v_id_charge;
  perform residence._charge_regler(v_id_charge, 0, null);
  return residence.charge_detail(v_id_charge);
end $$;
comment on function residence.charge_creer is
  'Refacture une charge à qui occupe le logement ; sa facture est émise, impayée. Les relevés en donnent la consommation. Sa catégorie se crée d''abord : POST /residence/categories-charges.';
-- The function records no payment.
call core.ne_refuse_pas('residence.charge_creer', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE', 'MOYEN_PAIEMENT_INACTIF',
  'PAIEMENT_MOYEN_INCONNU', 'SURPAIEMENT', 'CREDIT_INSUFFISANT', 'CREDIT_SANS_CLIENT');

create function residence._occupant(p_id_logement bigint) returns bigint
language sql stable
return coalesce(
  -- A tenant who has moved in comes before a future tenant.
  (select c.id_client from residence.contrat_location c
    where c.id_logement = p_id_logement and (c.statut = 'ACTIF' or c.preavis)
    order by c.date_debut <= core.aujourdhui() desc, c.date_debut desc limit 1),
  (select s.id_client from residence.sejour_court s
    where s.id_logement = p_id_logement and s.statut in ('EN_COURS', 'TERMINE') and s.date_heure_depart_reelle is null
    order by s.date_heure_arrivee desc limit 1));
comment on function residence._occupant is 'Client du bail actif ou en préavis d''un logement, sinon de son dernier séjour dont le client n''est pas parti.';
