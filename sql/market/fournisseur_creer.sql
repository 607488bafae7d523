create function market.fournisseur_creer(
  p_nom core.libelle, p_contact core.libelle default null, p_telephone core.telephone default null,
  p_email core.email default null, p_adresse core.texte default null)
returns market.fournisseur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_fournisseur bigint;
begin
  perform market._activite();
  insert into market.fournisseur as f (nom, contact, telephone, email, adresse)
  values (p_nom, p_contact, p_telephone, p_email, p_adresse)
  returning f.id_fournisseur into v_id_fournisseur;
  return market.fournisseur_detail(v_id_fournisseur);
end $$;
comment on function market.fournisseur_creer is 'Ajoute un fournisseur.';
