-- The settings are the same as in audit.journal_lister, for the same reason.
create function audit.histoire_lister(
  p_entite text, p_id text, p_module text default null,
  p_sort text default null, p_order core.sens default null, p_limit core.limite default 1000,
  p_offset core.decalage default 0)
returns setof audit.changement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  v_table constant audit.table_tenue := audit._entite(p_entite, p_id, p_module);
begin
  return query execute core._liste('audit.changement_vue', $filtre$
        v.module = $1 and v.entite = $2 and v.entite_id = $3
  $filtre$, 'v.date_heure, v.id_trace', p_sort, p_order, p_limit, p_offset)
  using v_table.module, v_table.entite, p_id;
end $$;
comment on function audit.histoire_lister is
  'Chaque changement d''une ligne, du premier au dernier : quand, par qui, et les champs qui diffèrent. « entite » est le nom d''une table, « commande » ou « pressing.commande » ; « module » en nomme la tranche quand deux ont la même.';
