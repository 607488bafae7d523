create function tresorerie.demande_annuler(p_id_demande bigint, p_motif core.texte default null)
returns tresorerie.demande_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform tresorerie.demande_detail(p_id_demande);
  update tresorerie.demande d set (statut, motif) = row('ANNULEE', coalesce(p_motif, d.motif))
   where d.id_demande = p_id_demande and d.statut <> 'ANNULEE';
  if not found then
    perform core.refuser(409, 'DEMANDE_DEJA_ANNULEE', 'Cette demande est déjà annulée.');
  end if;
  return tresorerie.demande_detail(p_id_demande);
end $$;
comment on function tresorerie.demande_annuler is
  'Annule une demande qui n''est pas finie. L''argent qui viendrait encore n''est pas refusé : il est à affecter.';
