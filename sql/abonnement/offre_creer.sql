create function abonnement.offre_creer(
  p_code core.libelle, p_libelle core.libelle, p_activite abonnement.activite_offre, p_unite abonnement.unite,
  p_quota abonnement.quantite, p_prix core.montant, p_duree_jours abonnement.duree, p_actif boolean default true,
  p_description core.texte default null, p_id_prestation bigint default null, p_id_categorie_plat bigint default null,
  p_max_par_jour core.nombre default null)
returns abonnement.offre_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_offre bigint;
begin
  perform abonnement._activite_permise(p_activite);
  insert into abonnement.offre as o (code, libelle, description, activite, unite, quota, prix, duree_jours, actif,
                                     id_prestation, id_categorie_plat, max_par_jour)
  values (p_code, p_libelle, p_description, p_activite, p_unite, p_quota, p_prix, p_duree_jours, p_actif,
          p_id_prestation, p_id_categorie_plat, p_max_par_jour)
  returning o.id_offre into v_id_offre;
  return abonnement.offre_detail(v_id_offre);
end $$;
comment on function abonnement.offre_creer is
  'Crée une offre d''abonnement prépayé. Le restaurant compte en REPAS, de tous les plats ou d''une catégorie ; le pressing en KG ou en PIECE, d''une prestation.';
