create type abonnement.categorie_abonnement_champs as (
  libelle core.libelle, description core.texte, actif boolean, code core.code);
comment on type abonnement.categorie_abonnement_champs is 'Ce qui se modifie d''une catégorie d''abonnement.';

create function abonnement.categorie_abonnement_modifier(p_id_categorie_abonnement bigint, p_champs jsonb)
returns abonnement.categorie_abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v abonnement.categorie_abonnement;
begin
  select * into strict v from abonnement.categorie_abonnement c
   where c.id_categorie_abonnement = p_id_categorie_abonnement and abonnement._visible() for no key update;
  v := jsonb_populate_record(v, p_champs);
  update abonnement.categorie_abonnement c
     set (libelle, description, actif, code) = row(v.libelle, v.description, v.actif, v.code)
   where c.id_categorie_abonnement = p_id_categorie_abonnement;
  return abonnement.categorie_abonnement_detail(p_id_categorie_abonnement);
end $$;
comment on function abonnement.categorie_abonnement_modifier is 'Modifie une catégorie d''abonnement.';
