-- Any visitor may open an account of the portal. A report therefore has a limited number of files.
create function signalement.photo_declarable(p_id_signalement bigint) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v signalement.portail_signalement := signalement.portail_signalement_detail(p_id_signalement);
begin
  if v.date_resolution is not null then
    perform core.refuser(409, 'DEJA_TRAITE',
      format('Ce signalement est déjà traité : il est à l''état %s.', core.etat_ecrire(v.statut::text)));
  elsif cardinality(v.photos) >= 10 then
    perform core.refuser(409, 'TROP_DE_PHOTOS', 'Un signalement compte 10 photos au plus.');
  end if;
end $$;
comment on function signalement.photo_declarable is
  'Vérifie, avant que le fichier soit gardé, que le client connecté peut joindre une photo à ce signalement.';

-- The lock makes two photos count one after the other.
create function signalement._photo_compter(p_id_signalement bigint) returns void
language plpgsql volatile as $$
begin
  perform from signalement.signalement s where s.id_signalement = p_id_signalement for no key update;
  perform signalement.photo_declarable(p_id_signalement);
end $$;
comment on function signalement._photo_compter is 'Verrouille un signalement, et refuse une photo de trop.';

call core.creation('signalement.photo_declarer', 'signalement.photo', 'signalement.portail_photo_detail',
  'signalement._photo_compter(p_id_signalement)', 'id_signalement', 'cle_objet');
comment on function signalement.photo_declarer is
  'Joint une photo à un signalement du client connecté, tant qu''il n''est pas clos.';
