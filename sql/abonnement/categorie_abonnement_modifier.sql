create type abonnement.categorie_abonnement_champs as (
  libelle core.libelle, description core.texte, actif boolean, code core.code);
comment on type abonnement.categorie_abonnement_champs is 'Ce qui se modifie d''une catégorie d''abonnement.';

create function abonnement.categorie_abonnement_modifier(p_id_categorie_abonnement bigint, p_champs jsonb)
returns abonnement.categorie_abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update abonnement.categorie_abonnement c
     set (libelle, description, actif, code) =
         (select v.libelle, v.description, v.actif, v.code from jsonb_populate_record(c, p_champs) v)
   where c.id_categorie_abonnement = p_id_categorie_abonnement and abonnement._visible();
  return abonnement.categorie_abonnement_detail(p_id_categorie_abonnement);
end $$;
comment on function abonnement.categorie_abonnement_modifier is 'Modifie une catégorie d''abonnement.';
