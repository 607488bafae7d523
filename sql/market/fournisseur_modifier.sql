create type market.fournisseur_champs as (
  nom core.libelle, contact core.libelle, telephone core.telephone, email core.email, adresse core.texte,
  actif boolean);
comment on type market.fournisseur_champs is 'Champs modifiables d''un fournisseur.';

create function market.fournisseur_modifier(p_id_fournisseur bigint, p_champs jsonb) returns market.fournisseur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.fournisseur;
begin
  perform market.fournisseur_detail(p_id_fournisseur);
  select * into strict v from market.fournisseur f where f.id_fournisseur = p_id_fournisseur for no key update;
  v := jsonb_populate_record(v, p_champs);
  update market.fournisseur f
     set (nom, contact, telephone, email, adresse, actif)
       = row(v.nom, v.contact, v.telephone, v.email, v.adresse, v.actif)
   where f.id_fournisseur = p_id_fournisseur;
  return market.fournisseur_detail(p_id_fournisseur);
end $$;
comment on function market.fournisseur_modifier is 'Modifie les champs donnés d''un fournisseur, ou le réactive.';
