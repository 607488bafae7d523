-- One advisory lock a till, CAISSE, orders all changes of its money: shared to record money, exclusive to open, close
-- or count the till. It is taken before any row of the till is locked.

create view finances.caisse_vue as
select c.id_caisse, c.libelle::text as libelle, c.id_activite, c.actif
  from finances.caisse c
 where core._visible(c.id_caisse, (select core.caisse()))
   and core._visible(c.id_activite, (select core._activite_sans_caisse()));
comment on view finances.caisse_vue is 'Caisses que l''utilisateur peut voir : la sienne, sinon celles de son activité, sinon toutes.';
call core.jamais_null('finances.caisse_vue', 'libelle');

create view finances.periode_caisse_vue as
select p.id_periode, p.id_caisse, p.ouverture, p.fermeture,
       p.id_utilisateur_ouverture, p.id_utilisateur_fermeture, p.fond_initial
  from finances.periode_caisse p
  join finances.caisse_vue c on c.id_caisse = p.id_caisse;
comment on view finances.periode_caisse_vue is 'Périodes d''ouverture des caisses.';

create view finances.caisse_detail_vue as
select c.*, p.id_periode is not null as ouverte, p as periode
  from finances.caisse_vue c
  left join finances.periode_caisse_vue p on p.id_caisse = c.id_caisse and p.fermeture is null;
comment on view finances.caisse_detail_vue is 'Caisse et sa période ouverte.';
comment on column finances.caisse_detail_vue.ouverte is 'Vrai si la caisse a une période ouverte.';
comment on column finances.caisse_detail_vue.periode is 'Période ouverte, null si la caisse est fermée.';
call core.peut_etre_null('finances.caisse_detail_vue', 'periode');
call core.jamais_null('finances.caisse_detail_vue', 'libelle', 'ouverte');

call core.figer('ACTIVITE_DE_CAISSE_FIGEE', 'L''activité d''une caisse ne change pas : ses comptes en dépendent.',
  'before update on finances.caisse when (new.id_activite is distinct from old.id_activite)');

-- The exclusive lock waits for every transaction that has checked the period, and blocks the next one.
create function finances._t10_periode_caisse_verrouiller() returns trigger
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), new.id_caisse::integer);
  return new;
end $$;
comment on function finances._t10_periode_caisse_verrouiller is 'Une caisse ne s''ouvre ni ne se ferme pendant qu''un mouvement s''y écrit.';

create trigger t10_periode_caisse_verrouiller before insert or update on finances.periode_caisse
  for each row execute function finances._t10_periode_caisse_verrouiller();

call core.figer('PERIODE_CAISSE_FIGEE', 'Une période de caisse se ferme une fois ; rien d''autre n''y change.',
  'before update on finances.periode_caisse when (
    old.fermeture is not null
    or (new.id_periode, new.id_caisse, new.ouverture, new.fond_initial, new.id_utilisateur_ouverture)
       is distinct from (
         old.id_periode, old.id_caisse, old.ouverture, old.fond_initial, old.id_utilisateur_ouverture))');
