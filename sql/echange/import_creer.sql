create function echange.import_creer(
  p_entite echange.entite, p_fichier core.texte, p_empreinte text, p_entetes jsonb, p_colonnes core.donnees)
returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_import bigint;
begin
  perform echange._exiger(p_entite);
  insert into echange.import as i (
    entite, fichier, empreinte, entetes, colonnes, id_utilisateur, id_activite, id_caisse, cle, id_cle)
  values (p_entite, left(p_fichier, 200), p_empreinte, array(select jsonb_array_elements_text(p_entetes)), p_colonnes,
          core.utilisateur(), core.activite(), core.caisse(), nullif(current_setting('comptoir.cle', true), ''),
          core.cle())
  returning i.id_import into v_id_import;
  return v_id_import;
end $$;
comment on function echange.import_creer is 'Reçoit une feuille, sans ses lignes encore.';
