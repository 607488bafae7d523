create function auth.role_supprimer(p_id_role bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The lock prevents a concurrent statement from giving this role to a user.
  perform from auth.role r where r.id_role = p_id_role for update;
  perform auth.role_detail(p_id_role);
  if exists (select from auth.utilisateur u where u.id_role = p_id_role) then
    perform core.refuser(409, 'ROLE_UTILISE', 'Des comptes ont encore ce rôle : donnez-leur en d''abord un autre.');
  end if;
  delete from auth.role_permission rp where rp.id_role = p_id_role;
  delete from auth.role r where r.id_role = p_id_role;
end $$;
comment on function auth.role_supprimer is 'Supprime un rôle que personne n''a, ses permissions d''abord.';
-- The role has no account at this point.
call core.ne_refuse_pas('auth.role_supprimer', 'DERNIER_ADMINISTRATEUR');
