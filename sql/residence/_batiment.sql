create view residence.batiment_vue as
select b.id_batiment, b.code, b.nom, b.adresse, b.actif
  from residence.batiment b
 where (select residence._visible());
comment on view residence.batiment_vue is 'Bâtiments.';

create function residence._batiment(p_id_batiment bigint) returns residence.batiment_vue
language plpgsql stable as $$
declare
  v residence.batiment_vue;
begin
  select * into strict v from residence.batiment_vue b where b.id_batiment = p_id_batiment;
  return v;
end $$;
comment on function residence._batiment is 'Un bâtiment visible par l''utilisateur. Refuse NOT_FOUND.';
