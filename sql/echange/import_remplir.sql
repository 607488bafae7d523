create function echange.import_remplir(p_id_import bigint, p_lignes jsonb) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import := echange._import_verrouiller(p_id_import);
begin
  if v.etat <> 'RECEPTION' then
    perform core.refuser(409, 'IMPORT_RECU', 'Cet import a déjà toutes ses lignes.');
  end if;
  insert into echange.ligne (id_import, ligne, cellules, donnees, erreurs, issue)
  select p_id_import, l.ligne, l.cellules, l.donnees, l.erreurs,
         case when l.erreurs = '[]' then 'A_ESSAYER' else 'REFUSEE' end::echange.issue_ligne
    from jsonb_to_recordset(p_lignes) as l (ligne integer, cellules jsonb, donnees jsonb, erreurs jsonb);
  return jsonb_array_length(p_lignes);
end $$;
comment on function echange.import_remplir is
  'Ajoute des lignes à un import qui arrive ; celles dont une cellule est mal écrite sont refusées d''emblée.';
