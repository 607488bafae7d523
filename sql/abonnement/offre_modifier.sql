create type abonnement.offre_champs as (
  libelle core.libelle, description core.texte, quota abonnement.quantite, prix core.montant,
  duree_jours abonnement.duree, actif boolean);
comment on type abonnement.offre_champs is 'Ce qui se modifie d''une offre.';

create function abonnement.offre_modifier(p_id_offre bigint, p_champs jsonb) returns abonnement.offre_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform abonnement.offre_detail(p_id_offre);
  update abonnement.offre o
     set (libelle, description, quota, prix, duree_jours, actif) =
         (select v.libelle, v.description, v.quota, v.prix, v.duree_jours, v.actif
            from jsonb_populate_record(o, p_champs) v)
   where o.id_offre = p_id_offre;
  return abonnement.offre_detail(p_id_offre);
end $$;
comment on function abonnement.offre_modifier is
  'Modifie les champs donnés d''une offre. Les abonnements déjà vendus gardent leur quota, leur prix et leurs dates.';
