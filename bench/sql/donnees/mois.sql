-- The months of the journal since the first day, as the periodic job would have made them, in UTC. The migration made
-- the months from its own on; audit.journal_debut, which is for earlier entries, now ends before the first day.

do $$
declare
  v_debut timestamptz := date_trunc('month', (select min(j.debut) from brouillon.jour j), 'UTC');
  v_mois timestamptz := v_debut;
  v_apres timestamptz;
  v_suite timestamptz := (select p.du from audit.partie_vue p where p.nom = 'journal_suite');
  v_nom text;
begin
  for v_nom in select p.nom from audit.partie_vue p where p.nom <> 'journal_suite' loop
    execute format('alter table audit.journal detach partition audit.%I', v_nom);
  end loop;
  while v_mois < v_suite loop
    v_nom := to_char(v_mois at time zone 'UTC', '"journal_"YYYY_MM');
    if to_regclass('audit.' || v_nom) is null then
      execute format('create table audit.%I (like audit.journal_suite including all)', v_nom);
      execute format('comment on table audit.%I is %L', v_nom, 'Journal du mois, en UTC.');
      execute format('alter table audit.%I owner to comptoir_owner', v_nom);
      execute format('create trigger t20_journal_fige before delete or truncate on audit.%I
                      for each statement execute function audit._t20_registre_fige()', v_nom);
      execute format('create trigger t20_journal_efface before update on audit.%I
                      for each row execute function audit._t20_journal_efface()', v_nom);
    end if;
    v_apres := (v_mois at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    execute format('alter table audit.journal attach partition audit.%I for values from (%L) to (%L)', v_nom, v_mois, v_apres);
    v_mois := v_apres;
  end loop;
  insert into audit.journal select * from audit.journal_debut;
  truncate audit.journal_debut;
  execute format('alter table audit.journal attach partition audit.journal_debut for values from (minvalue) to (%L)', v_debut);
end $$;
