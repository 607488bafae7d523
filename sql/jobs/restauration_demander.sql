create function jobs.restauration_demander(p_id_sauvegarde bigint, p_confirmation boolean) returns jobs.restauration_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_sauvegarde jobs.sauvegarde;
  v_id bigint;
begin
  if p_confirmation is not true then
    perform core.refuser(400, 'CONFIRMATION_REQUISE',
      'Une restauration remplace toute la base : confirmez-la par « confirmation ».');
  end if;
  perform jobs._coffre_clore_interrompus();
  select * into strict v_sauvegarde from jobs.sauvegarde s where s.id_sauvegarde = p_id_sauvegarde;
  if v_sauvegarde.statut <> 'SUCCES' or v_sauvegarde.date_retrait is not null then
    perform core.refuser(409, 'SAUVEGARDE_NON_RESTAURABLE',
      'Cette sauvegarde n''a pas réussi, ou son fichier a été retiré : choisissez-en une autre.');
  end if;
  if exists (select from jobs.sauvegarde s where s.statut = 'EN_COURS') then
    perform core.refuser(409, 'SAUVEGARDE_EN_COURS', 'Une sauvegarde est en cours : attendez sa fin.');
  end if;
  insert into jobs.restauration (id_sauvegarde, auteur) values (p_id_sauvegarde, jobs._auteur())
  on conflict do nothing
  returning id_restauration into v_id;
  if not found then
    perform core.refuser(409, 'RESTAURATION_EN_COURS', 'Une restauration est en cours : attendez sa fin.');
  end if;
  return core._trouve((select r from jobs.restauration_vue r where r.id_restauration = v_id));
end $$;
comment on function jobs.restauration_demander is
  'Restaure une sauvegarde dans une base neuve, la vérifie, puis la met à la place de la base, gardée sous un autre nom. Rend la restauration, EN_COURS ; personne n''écrit jusqu''à son issue, qui se lit dans la liste des sauvegardes.';
