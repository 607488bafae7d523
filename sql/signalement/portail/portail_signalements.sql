create type signalement.portail_photo as (
  id_photo bigint, id_signalement bigint, cle_objet core.cle_objet, date_ajout timestamptz, id_utilisateur bigint);
comment on type signalement.portail_photo is 'Photo que le client a jointe à son signalement.';
create type signalement.portail_signalement as (
  id_signalement bigint, titre text, description text, lieu text, cible_type signalement.cible_type,
  module_cible core.code, statut signalement.statut_signalement, note_resolution text, date_signalement timestamptz,
  date_resolution timestamptz, photos signalement.portail_photo[],
  id_utilisateur_declarant bigint, id_activite bigint);
comment on type signalement.portail_signalement is 'Signalement du client connecté.';
comment on column signalement.portail_signalement.cible_type is 'MODULE avec module_cible, GENERAL sinon.';
comment on column signalement.portail_signalement.module_cible is 'Domaine concerné, null pour un signalement général.';
comment on column signalement.portail_signalement.note_resolution is 'Réponse du personnel.';
call core.peut_etre_null('signalement.portail_signalement', 'lieu', 'module_cible', 'note_resolution',
  'date_resolution', 'id_utilisateur_declarant', 'id_activite');

create function signalement._portail_signalements(p_id_client bigint) returns setof signalement.portail_signalement
language sql stable
begin atomic
  select s.id_signalement, s.titre, s.description, s.lieu,
         signalement._cible(s.par_module, s.id_client, s.id_activite), s.type_signalement,
         s.statut, s.note_resolution, s.date_signalement, s.date_resolution,
         array(select row(p.id_photo, p.id_signalement, p.cle_objet, p.date_ajout,
                          p.id_utilisateur)::signalement.portail_photo
                 from signalement.photo p where p.id_signalement = s.id_signalement order by p.id_photo),
         s.id_utilisateur_declarant, s.id_activite
    from signalement.signalement s
   where s.id_client = p_id_client;
end;
comment on function signalement._portail_signalements is 'Signalements d''un client, avec leurs photos.';

call client.liste_du_portail('signalement.portail_signalements', 'signalement.portail_signalement',
  'v.date_signalement desc, v.id_signalement desc');
comment on function signalement.portail_signalements is 'Signalements du client connecté, le dernier d''abord.';

call client.detail_du_portail(
  'signalement.portail_signalement_detail', 'signalement._portail_signalements', 'id_signalement');
comment on function signalement.portail_signalement_detail is 'Un signalement du client connecté et ses photos.';

create function signalement.portail_photo_detail(p_id_photo bigint) returns signalement.portail_photo
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((
    select row(p.id_photo, p.id_signalement, p.cle_objet, p.date_ajout, p.id_utilisateur)::signalement.portail_photo
      from signalement.photo p
      join signalement.signalement s on s.id_signalement = p.id_signalement
     where p.id_photo = p_id_photo and s.id_client = v_id_client));
end $$;
comment on function signalement.portail_photo_detail is 'Une photo d''un signalement du client connecté.';
