-- Expenses. An expense takes money out of a till, under the rules of a payment (_caisse_regles.sql). A deleted expense
-- is void: the table keeps it, and no list and no sum contains it. Lock order: the expense, then the till (shared).

create view finances.depense_vue as
select d.id_depense, d.date, d.montant, d.id_categorie_depense, d.id_activite, d.libelle::text as libelle,
       d.justificatif::text as justificatif, d.id_utilisateur, d.id_caisse, d.id_compte
  from finances.depense d
 where d.date_annulation is null
   and core._visible(d.id_caisse, (select core.caisse()))
   and core._visible(d.id_activite, (select core._activite_sans_caisse()));
comment on view finances.depense_vue is 'Dépenses que l''utilisateur peut voir, sans les supprimées.';
call core.jamais_null('finances.depense_vue', 'libelle');

create function finances._t10_depense_remplir() returns trigger
language plpgsql volatile as $$
begin
  new.id_caisse := coalesce(core.caisse(), new.id_caisse);
  new.id_periode := finances._periode_ouverte(new.id_caisse);
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  new.jour := core.jour(new.date);
  new.id_activite := finances._activite_de_depense(new.id_activite, new.id_caisse);
  perform finances._caisse_verifier(new.id_caisse, new.id_periode, new.id_activite, new.jour);
  return new;
end $$;
comment on function finances._t10_depense_remplir is
  'Jour, auteur, caisse (celle de l''utilisateur d''abord), période ouverte, activité (donnée, sinon celle de la caisse, sinon celle de l''utilisateur).';

create trigger t10_depense_remplir before insert on finances.depense
  for each row execute function finances._t10_depense_remplir();

create function finances._t10_depense_dater() returns trigger
language plpgsql volatile as $$
begin
  new.jour := core.jour(new.date);
  -- The lock prevents a closing or a count of the till between this check and the write.
  perform pg_advisory_xact_lock_shared(core._verrou('CAISSE'), old.id_caisse::integer);
  perform finances._caisse_verifier(new.id_caisse, new.id_periode, new.id_activite, new.jour);
  return new;
end $$;
comment on function finances._t10_depense_dater is 'Jour de la nouvelle date.';

create trigger t10_depense_dater before update of date, jour on finances.depense
  for each row when (old.date <> new.date or old.jour <> new.jour) execute function finances._t10_depense_dater();

create function finances._t10_depense_rattacher() returns trigger
language plpgsql volatile as $$
begin
  new.id_activite := finances._activite_de_depense(new.id_activite, new.id_caisse);
  perform finances._caisse_verifier(new.id_caisse, new.id_periode, new.id_activite, new.jour);
  return new;
end $$;
comment on function finances._t10_depense_rattacher is 'Activité de la dépense qui en change : à l''utilisateur si elle lui est imposée.';

create trigger t10_depense_rattacher before update on finances.depense
  for each row when (new.id_activite is distinct from old.id_activite)
  execute function finances._t10_depense_rattacher();

create function finances._activite_de_depense(p_id_activite bigint, p_id_caisse bigint) returns bigint
language sql stable
return facturation._activite_permise(coalesce(p_id_activite, (
    select c.id_activite from finances.caisse c where c.id_caisse = p_id_caisse)));
comment on function finances._activite_de_depense is 'Activité donnée, sinon de la caisse, ou de l''utilisateur.';

create trigger t20_date_future before insert or update of date on finances.depense
  for each row when (new.jour > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date de la dépense est dans le futur.');

create function finances._t20_depense_figee() returns trigger
language plpgsql volatile as $$
begin
  if old.date_annulation is not null then
    perform core.refuser(409, 'DEPENSE_SUPPRIMEE', 'Cette dépense est supprimée : elle ne change plus.');
  elsif (new.id_depense, new.id_caisse, new.id_compte, new.id_periode, new.id_utilisateur)
        is distinct from (old.id_depense, old.id_caisse, old.id_compte, old.id_periode, old.id_utilisateur) then
    perform core.refuser(409, 'DEPENSE_FIGEE', 'La caisse, le compte et l''auteur d''une dépense ne changent pas.');
  elsif (new.montant, new.jour, new.date_annulation) is distinct from (old.montant, old.jour, old.date_annulation) then
    perform finances._periode_exiger(old.id_caisse, old.id_periode,
      'La période de caisse de cette dépense est fermée : son montant et son jour ne changent plus.');
    -- An expense of today may change after today's count of the till, as a payment may be recorded after it.
    if new.jour <> old.jour or old.jour < core.jour(clock_timestamp()) then
      perform finances._jour_a_compter(old.id_caisse, old.jour);
    end if;
  end if;
  return new;
end $$;
comment on function finances._t20_depense_figee is
  'Le montant et le jour d''une dépense changent, et elle se supprime, tant que sa période de caisse est ouverte et que son jour, s''il est passé, n''est pas compté.';

create trigger t20_depense_figee before update on finances.depense
  for each row execute function finances._t20_depense_figee();

call core.figer('DEPENSE_NON_EFFACABLE', 'Une dépense ne s''efface pas : elle se supprime, et reste au journal.',
  'before delete on finances.depense');
