create function jobs.sauvegarde_declencher(p_en_file boolean default true) returns jobs.sauvegarde_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id bigint;
begin
  perform jobs._coffre_clore_interrompus();
  if exists (select from jobs.restauration r where r.statut = 'EN_COURS') then
    perform core.refuser(409, 'RESTAURATION_EN_COURS', 'Une restauration est en cours : attendez sa fin.');
  end if;
  v_id := jobs._sauvegarde_creer('MANUELLE', null, p_en_file);
  if v_id is null then
    perform core.refuser(409, 'SAUVEGARDE_EN_COURS', 'Une sauvegarde est en cours : attendez sa fin.');
  end if;
  return core._trouve((select s from jobs.sauvegarde_vue s where s.id_sauvegarde = v_id));
end $$;
comment on function jobs.sauvegarde_declencher is
  'Lance une sauvegarde de toute la base et rend sa ligne, EN_COURS ; son issue se lit dans la liste.';
