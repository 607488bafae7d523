create function echange.import_valider(
  p_id_import bigint, p_tout boolean default false, p_en_file boolean default false) returns echange.import_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import := echange._import_verrouiller(p_id_import);
begin
  perform echange._exiger(v.entite);
  if v.etat in ('RECEPTION', 'EN_ESSAI') then
    perform core.refuser(409, 'IMPORT_EN_ESSAI', 'L''essai de cet import n''est pas fini.');
  elsif v.etat = 'ANNULE' then
    perform core.refuser(409, 'IMPORT_ANNULE', 'Cet import est annulé : renvoyez la feuille.');
  elsif v.etat = 'FAIT' then
    return echange.import_detail(p_id_import);
  elsif v.etat = 'ESSAYE' then
    if p_tout and v.refusees > 0 then
      perform core.refuser(409, 'IMPORT_REFUSE', 'Des lignes sont refusées : rien n''est importé.',
                           jsonb_build_object('erreurs', to_jsonb((echange.import_detail(p_id_import)).erreurs)));
    end if;
    update echange.import i
       set (etat, tout, fait, total, message) = row('EN_COURS'::echange.etat_import, p_tout, 0, i.acceptees, null)
     where i.id_import = p_id_import
    returning * into v;
  else
    -- It stopped on its way: the rows that are done stay done.
    update echange.import i set (etat, message) = row('EN_COURS'::echange.etat_import, null)
     where i.id_import = p_id_import returning * into v;
  end if;
  if v.total <= echange._taille_de_lot() then
    perform echange._importer(v);
  elsif p_en_file then
    perform echange._differer(p_id_import);
  end if;
  return echange.import_detail(p_id_import);
end $$;
comment on function echange.import_valider is
  'Importe les lignes que l''essai a acceptées, par lots ; au-delà de 1 000, la réponse est 202 et une tâche les importe. Avec « tout », c''est une transaction, et une seule ligne refusée refuse l''ensemble. Un import arrêté en chemin reprend où il était, un import fini n''est pas refait.';
