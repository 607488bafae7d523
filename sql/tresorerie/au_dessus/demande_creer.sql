create function tresorerie.demande_creer(
  p_id_compte bigint, p_montant core.montant_du_reglement, p_id_facture bigint default null,
  p_id_echeance bigint default null, p_id_charge bigint default null, p_telephone core.telephone default null,
  p_expire_le timestamptz default null, p_en_file boolean default false)
returns tresorerie.demande_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_compte tresorerie.compte := tresorerie._fournisseur_exiger(p_id_compte);
  v_cible tresorerie.cible;
  v_id_demande bigint;
begin
  if num_nonnulls(p_id_facture, p_id_echeance, p_id_charge) <> 1 then
    perform core.refuser(400, 'CIBLE_UNIQUE', 'Donnez une facture, une échéance ou une charge, et une seule.');
  elsif p_expire_le <= now() then
    perform core.refuser(400, 'EXPIRATION_PASSEE', 'Cette demande serait déjà expirée.');
  elsif not v_compte.actif then
    perform core.refuser(409, 'COMPTE_INACTIF', format('Le compte « %s » est désactivé.', v_compte.libelle));
  elsif (tresorerie._acces(v_compte)).id_compte is null then
    perform core.refuser(409, 'COMPTE_SANS_ACCES',
                         'Ce compte n''a pas les clés de son fournisseur : donnez-les d''abord.');
  end if;
  v_cible := tresorerie._cible(
    p_id_facture, case when p_id_echeance is not null then 'LOCATION' when p_id_charge is not null then 'CHARGE' end
                  ::facturation.source_type, coalesce(p_id_echeance, p_id_charge));
  if p_id_compte is distinct from
     tresorerie._compte_qui_recoit(v_compte.id_moyen, v_cible.id_activite, core.aujourdhui()) then
    perform core.refuser(409, 'COMPTE_D_UNE_AUTRE_ACTIVITE',
                         'L''argent de cette activité n''arrive pas sur ce compte.');
  elsif v_cible.reste <= 0 then
    perform core.refuser(409, 'DEJA_PAYE', 'Il n''y a plus rien à payer.');
  elsif p_montant > v_cible.reste then
    perform core.refuser(409, 'SURPAIEMENT', 'La demande dépasse le reste à payer.',
                         jsonb_build_object('reste', v_cible.reste::text));
  end if;
  insert into tresorerie.demande as d (id_compte, montant, id_facture, source_type, source_id, id_activite, libelle,
                                       expire_le, id_utilisateur)
  values (p_id_compte, p_montant, v_cible.id_facture, v_cible.source_type, v_cible.source_id, v_cible.id_activite,
          v_cible.libelle, p_expire_le, core.utilisateur())
  returning d.id_demande into v_id_demande;
  insert into tresorerie.demande_suite (id_demande, telephone, essai_le)
  values (v_id_demande, p_telephone, now() + tresorerie._pause(1));
  if p_en_file then
    perform core._differer('demande', jsonb_build_object('id_demande', v_id_demande), p_file => 'svc-tresorerie');
  end if;
  return tresorerie.demande_detail(v_id_demande);
end $$;
comment on function tresorerie.demande_creer is
  'Demande de l''argent par le fournisseur d''un compte, pour une facture, une échéance ou une charge, en tout ou en partie. « telephone » est le numéro à qui demander, là où le fournisseur sait le faire ; « url » et « qr » mènent au paiement.';
