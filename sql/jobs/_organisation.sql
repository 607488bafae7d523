-- A new organisation among several: its database is a copy of a template (app/leaves/organisations/making.py).

create function jobs._organisation_naitre() returns void
language plpgsql volatile as $$
begin
  if exists (select from auth.utilisateur) then
    perform core.refuser(409, 'ORGANISATION_DEJA_NEE', 'Cette base a déjà servi : ses secrets restent les siens.');
  end if;
  update core.secret_documents s
     set secret = (select string_agg(uuid_send(gen_random_uuid()), '') from generate_series(1, 4));
  update jobs.planification p set date_maj = now();  -- an older template would ask for a backup at once
end $$;
comment on function jobs._organisation_naitre is 'Tire les secrets d''une base copiée d''un modèle.';
