create function auth._permise(p_permission text) returns boolean
language sql stable
return core.utilisateur() is null
    or p_permission = any (coalesce(auth._permissions_de_cle(), array[p_permission])) and exists (
  select from auth.utilisateur u
    join auth.role_permission rp on rp.id_role = u.id_role
    join auth.permission p on p.id_permission = rp.id_permission
   where u.id_utilisateur = core.utilisateur() and p.code = p_permission);
comment on function auth._permise is 'Vrai si l''utilisateur a cette permission, ou hors de l''API (psql).';

create function auth._interdire(p_permission text) returns void
language plpgsql stable as $$
begin
  perform core.refuser(403, 'FORBIDDEN', format('%s n''a pas la permission %s.',
    case when auth._permissions_de_cle() is null then 'Votre rôle' else 'Cette clé' end, p_permission));
end $$;
comment on function auth._interdire is 'Refuse FORBIDDEN à qui n''a pas cette permission.';
