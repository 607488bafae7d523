-- The success is recorded in the restored database, just before this database replaces the present one.

create type jobs.restauration_source as (chemin text, sha256 text, lignes jsonb);
comment on type jobs.restauration_source is 'D''où vient une restauration, et à quoi la reconnaître juste.';

create function jobs.restauration_commencer(p_id_restauration bigint) returns jobs.restauration_source
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jobs.restauration_source;
begin
  if jobs._coffre_prendre() then
    update jobs.restauration r set date_debut = clock_timestamp()
      from jobs.sauvegarde s
     where r.id_restauration = p_id_restauration and r.statut = 'EN_COURS' and s.id_sauvegarde = r.id_sauvegarde
    returning s.chemin, s.sha256, s.lignes into v;
  end if;
  return v;
end $$;
comment on function jobs.restauration_commencer is
  'Prend une restauration en main et rend sa source ; null si elle est close, ou si une autre session tient le coffre.';
