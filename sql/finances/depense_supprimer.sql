create function finances.depense_supprimer(p_id_depense bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances.depense_detail(p_id_depense);
  update finances.depense d set date_annulation = now() where d.id_depense = p_id_depense;
end $$;
comment on function finances.depense_supprimer is
  'Supprime une dépense : hors des listes et des sommes, elle reste au journal.';
-- The expense has a day already.
call core.peut_refuser('finances.depense_supprimer', 'PERIODE_CLOTUREE');
-- The function writes neither the till nor the author.
call core.ne_refuse_pas('finances.depense_supprimer', 'DEPENSE_FIGEE');
