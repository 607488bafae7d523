create function finances.caisse_creer(p_libelle core.libelle, p_id_activite bigint, p_actif boolean default true)
returns finances.caisse_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.caisse_vue;
begin
  if core.caisse() is not null then
    perform core.refuser(400, 'CAISSE_INTERDITE', 'Vous n''avez accès qu''à votre caisse.');
  end if;
  insert into finances.caisse (libelle, id_activite, actif)
  values (p_libelle, facturation._activite_permise(p_id_activite), p_actif)
  returning id_caisse, libelle, id_activite, actif into v;
  return v;
end $$;
comment on function finances.caisse_creer is 'Crée une caisse, fermée.';
