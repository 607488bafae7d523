create type market.fournisseur_champs as (
  nom core.libelle, contact core.libelle, telephone core.telephone, email core.email, adresse core.texte,
  actif boolean);
comment on type market.fournisseur_champs is 'Champs modifiables d''un fournisseur.';

create function market.fournisseur_modifier(p_id_fournisseur bigint, p_champs jsonb) returns market.fournisseur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update market.fournisseur f
     set (nom, contact, telephone, email, adresse, actif) =
         (select v.nom, v.contact, v.telephone, v.email, v.adresse, v.actif from jsonb_populate_record(f, p_champs) v)
   where f.id_fournisseur = p_id_fournisseur and market._visible();
  return market.fournisseur_detail(p_id_fournisseur);
end $$;
comment on function market.fournisseur_modifier is 'Modifie les champs donnés d''un fournisseur, ou le réactive.';
