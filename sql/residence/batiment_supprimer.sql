create function residence.batiment_supprimer(p_id_batiment bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform residence.batiment_detail(p_id_batiment);
  if exists (select from residence.logement l where l.id_batiment = p_id_batiment) then
    perform core.refuser(409, 'BATIMENT_NON_VIDE',
      'Ce bâtiment a des logements : il ne se supprime pas, désactivez-le.');
  end if;
  delete from residence.batiment b where b.id_batiment = p_id_batiment;
end $$;
comment on function residence.batiment_supprimer is 'Supprime un bâtiment sans logement.';
