create type audit.entite as (module text, entite text, id text, libelle text, changements bigint, portee audit.portee);
comment on type audit.entite is 'Une ligne d''une table journalisée, et ce que le journal en garde.';
comment on column audit.entite.libelle is 'Nom de la table, tel qu''il se lit.';
comment on column audit.entite.changements is 'Nombre d''écritures de la ligne que l''utilisateur peut voir.';

create function audit.entite_detail(p_entite text, p_id text, p_module text default null) returns audit.entite
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  v constant audit.table_tenue := audit._entite(p_entite, p_id, p_module);
begin
  return row(
    v.module, v.entite, p_id, (select m.mots from core.en_mots('LIGNE', v.module || '.' || v.entite) m),
    (select count(*) from audit._trace_visible_vue j
      where j.module = v.module and j.entite = v.entite and j.entite_id = p_id),
    row((select min(j.date_heure) from audit.journal j), audit._mois_archives('-infinity'),
        array(select a.attname::text from pg_catalog.pg_attribute a
               where a.attrelid = format('%I.%I', v.module, v.entite)::regclass and a.attnum > 0
                 and not a.attisdropped and audit._sensible(a.attname)
               order by a.attnum))::audit.portee)::audit.entite;
end $$;
comment on function audit.entite_detail is
  'Ce que le journal garde d''une ligne : combien de changements, depuis quand, quels mois sont archivés, quels champs sont masqués. « entite » est le nom d''une table, « commande » ou « pressing.commande » ; « module » en nomme la tranche quand deux ont la même.';
