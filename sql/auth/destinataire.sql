create function auth.destinataire(p_login text) returns setof auth.destinataire
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.email, a.login::text, a.nom, core.parametre('NOM_ORGANISATION')
    from auth.adresse_vue a
   where a.actif and a.email is not null and not a.a_confirmer and lower(a.login) = lower(p_login);
end;
comment on function auth.destinataire(text) is
  'Où écrire au titulaire d''un compte ; aucune ligne où l''on ne connaît pas d''adresse qui soit à lui.';
