-- One lot at a time: no call holds the counters for long. An interrupted trial goes on from its first untried row.
create function echange.import_essayer(p_id_import bigint, p_en_file boolean default null)
returns echange.import_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import := echange._import_verrouiller(p_id_import);
begin
  perform echange._exiger(v.entite);
  if v.etat = 'EN_ESSAI' and p_en_file is null then
    perform echange._essayer(v);
  elsif v.etat = 'EN_ESSAI' and p_en_file then
    perform echange._differer(p_id_import);
  end if;
  return echange.import_detail(p_id_import);
end $$;
comment on function echange.import_essayer is
  'Essaie les prochaines lignes d''un import, et rend ce qu''il en est ; p_en_file, s''il est donné, laisse l''essai à la tâche, mise en file ou non.';

-- A job that waits already is enough: a confirmation repeated on a trial would queue one each time.
create function echange._differer(p_id_import bigint) returns void
language plpgsql volatile as $$
declare
  v_verrou constant text := 'import-' || p_id_import;
begin
  if not exists (select from queue.procrastinate_jobs j where j.lock = v_verrou and j.status = 'todo') then
    perform core._differer('importer', jsonb_build_object('id_import', p_id_import), v_verrou, 'svc-imports');
  end if;
end $$;
comment on function echange._differer is 'Met en file la suite d''un import, si elle n''y attend pas déjà.';
