-- Lock: the code.

create function core.taxe_creer(
  p_code core.code, p_libelle core.libelle, p_taux core.taux_taxe, p_nature core.nature_taxe, p_du date,
  p_au date default null)
returns core.taxe_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_taxe bigint;
begin
  insert into core.code_taxe (code) values (p_code) on conflict on constraint code_taxe_pkey do nothing;
  insert into core.taxe (code, libelle, taux, nature, du, au) values (p_code, p_libelle, p_taux, p_nature, p_du, p_au)
  returning id_taxe into v_id_taxe;
  return core.taxe_detail(v_id_taxe);
end $$;
comment on function core.taxe_creer is
  'Ajoute un taux. Un code qui existe déjà reçoit ainsi son taux suivant, depuis un jour plus tardif que tous les siens.';
