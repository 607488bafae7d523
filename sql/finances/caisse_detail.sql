create view finances.caisse_detail_vue as
select c.*, p.id_periode is not null as ouverte, p as periode
  from finances.caisse_vue c
  left join finances.periode_caisse_vue p on p.id_caisse = c.id_caisse and p.fermeture is null;
comment on view finances.caisse_detail_vue is 'Caisse et sa période ouverte.';
comment on column finances.caisse_detail_vue.ouverte is 'Vrai si la caisse a une période ouverte.';
comment on column finances.caisse_detail_vue.periode is 'Période ouverte, null si la caisse est fermée.';
call core.peut_etre_null('finances.caisse_detail_vue', 'periode');
call core.jamais_null('finances.caisse_detail_vue', 'libelle', 'ouverte');

create function finances.caisse_detail(p_id_caisse bigint) returns finances.caisse_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.caisse_detail_vue;
begin
  select * into strict v from finances.caisse_detail_vue c where c.id_caisse = p_id_caisse;
  return v;
end $$;
comment on function finances.caisse_detail(bigint) is 'Rend une caisse, dit si elle est ouverte et montre sa période ouverte.';
call core.peut_refuser('finances.caisse_detail', 'NOT_FOUND');
