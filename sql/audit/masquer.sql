create function audit.masquer(p_donnees jsonb) returns jsonb
language plpgsql immutable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if jsonb_typeof(p_donnees) is distinct from 'object' then
    perform core.refuser(400, 'OBJET_ATTENDU', 'donnees doit être un objet JSON.');
  end if;
  return audit._masquer_profond(p_donnees);
end $$;
comment on function audit.masquer is
  'Rend le même objet, *** à la place des mots de passe, jetons et autres secrets, à toute profondeur.';
