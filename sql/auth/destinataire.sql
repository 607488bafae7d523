create function auth.destinataire(p_login text) returns setof auth.destinataire
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.email, a.login::text, a.nom, core.parametre('NOM_ORGANISATION')
    from auth.adresse_vue a
   where a.actif and a.email is not null and not a.a_confirmer and lower(a.login) = lower(p_login);
end;
comment on function auth.destinataire is
  'Où écrire au titulaire d''un compte ; aucune ligne où l''on ne connaît pas d''adresse qui soit à lui.';

create function auth._prevenir(p_id_utilisateur bigint, p_modele text, p_faits jsonb default '{}') returns void
language plpgsql volatile as $$
begin
  perform auth._avertir(p_modele, a, p_faits || jsonb_build_object(
            'quand', to_char(now() at time zone 'UTC', 'DD/MM/YYYY "à" HH24 "h" MI "(UTC)"')))
     from auth.utilisateur u, auth.destinataire(u.login) a where u.id_utilisateur = p_id_utilisateur;
end $$;
comment on function auth._prevenir is 'Met en file l''e-mail qui avertit un compte, et lui dit quand.';
