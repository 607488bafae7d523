create function auth.adresse_avis(p_id_client bigint, p_email text default null) returns setof auth.destinataire
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select c.email::text, u.login::text, concat_ws(' ', u.prenom, u.nom), core.parametre('NOM_ORGANISATION')
    from client.client c
    join auth.utilisateur u on u.id_client = c.id_client
   where c.id_client = p_id_client and c.email <> coalesce(p_email, '');
end;
comment on function auth.adresse_avis is
  'À qui dire que l''adresse d''un client va changer : le titulaire de son compte, à l''adresse qu''il a encore ; aucune ligne sans compte, sans adresse, ou si elle ne change pas.';
