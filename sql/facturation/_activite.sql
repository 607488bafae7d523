create function facturation._activite_permise(p_id_activite bigint) returns bigint
language plpgsql stable as $$
declare
  v_limite constant bigint := core.activite();
begin
  if p_id_activite <> v_limite then
    raise no_data_found;
  end if;
  return coalesce(p_id_activite, v_limite);
end $$;
comment on function facturation._activite_permise is 'L''activité donnée si elle est permise, sinon de l''utilisateur.';

create function facturation._activite(p_code core.code) returns bigint
language plpgsql stable as $$
declare
  v_id_activite bigint;
begin
  select a.id_activite into strict v_id_activite from core.activite a where a.code = p_code;
  return v_id_activite;
end $$;
comment on function facturation._activite is 'Activité d''un code, pour les tranches qui appartiennent à une activité. Refuse NOT_FOUND.';
