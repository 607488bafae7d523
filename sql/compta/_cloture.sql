-- Closed months: these triggers hang from each table of money that the ledger reads (au_dessus/_cloture.sql for later
-- slices). A write on the running month only compares its day with the clock. A write on an earlier day takes the lock
-- CLOTURE shared until its end. A closing takes it exclusively, and before that waits for the transactions that wrote
-- while the month was still running (compta.periode_cloturer).

create function compta._dernier_jour_clos() returns date
language sql stable
return coalesce((select max(p.dernier_jour) from compta.periode p), '-infinity');
comment on function compta._dernier_jour_clos is 'Dernier jour du dernier mois clôturé ; -infinity avant la première clôture.';

-- clock_timestamp() and not now(): a transaction may have begun last month.
create function compta._mois_en_cours() returns date
language sql volatile
return date_trunc('month', core.jour(clock_timestamp())::timestamp)::date;
comment on function compta._mois_en_cours is 'Premier jour du mois en cours.';

-- The lock is a statement of its own, so that the next one sees the month that was closed during the wait.
create function compta._jour_clos(p_jour date) returns boolean
language plpgsql volatile as $$
begin
  if p_jour is null or p_jour >= compta._mois_en_cours() then
    return false;
  end if;
  perform pg_advisory_xact_lock_shared(core._verrou('CLOTURE'), 0);
  return p_jour <= compta._dernier_jour_clos();
end $$;
comment on function compta._jour_clos is 'Vrai d''un jour clôturé ; un autre ne se clôt pas pendant la transaction.';

create function compta._ouverte_exiger(p_jour date) returns void
language plpgsql volatile as $$
begin
  if compta._jour_clos(p_jour) then
    perform core.refuser(409, 'PERIODE_CLOTUREE',
      format('Le mois %s est clôturé : corrigez-le par un nouveau document, daté d''un mois ouvert.',
             to_char(p_jour, 'MM/YYYY')),
      jsonb_build_object('periode', to_char(p_jour, 'YYYY-MM')));
  end if;
end $$;
comment on function compta._ouverte_exiger is 'Refuse PERIODE_CLOTUREE pour un jour d''un mois clôturé.';

create function compta._t20_periode_close() returns trigger
language plpgsql volatile as $$
declare
  v_colonne constant text := coalesce(tg_argv[0], 'jour');
begin
  perform compta._ouverte_exiger((to_jsonb(new) ->> v_colonne)::date);
  if tg_op = 'UPDATE' then
    perform compta._ouverte_exiger((to_jsonb(old) ->> v_colonne)::date);
  end if;
  return new;
end $$;
comment on function compta._t20_periode_close is
  'Refuse d''écrire ce qui compte dans un mois clôturé, et de le changer : PERIODE_CLOTUREE. Argument : la colonne du jour, « jour » sans lui.';
-- Without a date, a document is dated now.
call core.ne_refuse_que('compta._t20_periode_close', 'date', 'PERIODE_CLOTUREE');

create trigger t20_periode_close_annulation before update of annulee on facturation.facture
  for each row when (new.annulee and new.montant_avoirs < new.montant_total)
  execute function compta._t20_periode_close();

create trigger t20_periode_close before insert on facturation.avoir
  for each row when (new.jour < date_trunc('month', core.jour(clock_timestamp())::timestamp))
  execute function compta._t20_periode_close();

create trigger t20_periode_close_change before update of date, jour, id_moyen on finances.paiement
  for each row when (new.jour <> old.jour or new.id_moyen <> old.id_moyen)
  execute function compta._t20_periode_close();

create trigger t20_periode_close before insert on finances.depense
  for each row when (new.jour < date_trunc('month', core.jour(clock_timestamp())::timestamp))
  execute function compta._t20_periode_close();

create trigger t20_periode_close_change before update on finances.depense
  for each row when ((new.jour, new.montant, new.id_categorie_depense, new.id_activite, new.date_annulation)
    is distinct from (old.jour, old.montant, old.id_categorie_depense, old.id_activite, old.date_annulation))
  execute function compta._t20_periode_close();

-- The label of a line may name a client: it goes with his data. compta.jour_efface keeps the hash that the day had.
call core.figer('ECRITURE_FIGEE', 'Une période clôturée, ses écritures et leurs sommes ne changent ni ne s''effacent.',
  'before update or delete or truncate on compta.periode', 'before update or delete or truncate on compta.cumul',
  'before delete or truncate on compta.ecriture',
  'change: before update on compta.ecriture
    when (new.libelle <> ''[effacé]'' or to_jsonb(new) - ''libelle'' <> to_jsonb(old) - ''libelle'')',
  'before update or delete or truncate on compta.jour_efface', 'before update or delete or truncate on compta.exercice_clos');
