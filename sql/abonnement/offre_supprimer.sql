create function abonnement.offre_supprimer(p_id_offre bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform abonnement.offre_detail(p_id_offre);
  delete from abonnement.offre o where o.id_offre = p_id_offre;
end $$;
comment on function abonnement.offre_supprimer is 'Supprime une offre qui n''a jamais été vendue.';
