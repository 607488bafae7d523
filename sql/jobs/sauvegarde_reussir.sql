create function jobs.sauvegarde_reussir(p_id_sauvegarde bigint, p_taille_octets bigint, p_sha256 text, p_lignes jsonb)
returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update jobs.sauvegarde s
     set statut = 'SUCCES', date_fin = clock_timestamp(), taille_octets = p_taille_octets, sha256 = p_sha256,
         lignes = p_lignes
   where s.id_sauvegarde = p_id_sauvegarde;
end $$;
comment on function jobs.sauvegarde_reussir is 'Clôt une sauvegarde réussie.';
