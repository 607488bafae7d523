-- Till counts. The database computes the expected amount when the count is written, under the lock that blocks every
-- payment, expense and transfer of the till. No movement can therefore fall between the sum and the row. A count never
-- changes.

create view finances.tirage_vue as
select t.id_tirage as id, t.id_tirage, t.id_caisse, t.date,
       t.montant_compte::core.nombre_signe as montant_compte, t.montant_attendu::core.somme_nombre as montant_attendu,
       t.ecart::core.somme_nombre as ecart, t.note::text as note, t.id_utilisateur, u.login::text as login,
       t.montant_en_exception::core.somme_nombre as montant_en_exception, t.motif
  from finances.tirage t
  join finances.caisse_vue c on c.id_caisse = t.id_caisse
  left join auth.utilisateur u on u.id_utilisateur = t.id_utilisateur;
comment on view finances.tirage_vue is 'Comptages des caisses que l''utilisateur peut voir.';
comment on column finances.tirage_vue.id is 'Même valeur que id_tirage.';
comment on column finances.tirage_vue.montant_attendu is 'Encaissements − décaissements − dépenses, et virements, de la caisse depuis le comptage d''avant, ou depuis sa première ouverture, au moment du comptage.';
comment on column finances.tirage_vue.montant_en_exception is 'Part de montant_attendu qui est l''argent d''exceptions, et d''aucune vente ; négative quand il y en a moins qu''au comptage d''avant.';
comment on column finances.tirage_vue.login is 'Login de qui a compté.';
call core.peut_etre_null('finances.tirage_vue', 'login');
call core.jamais_null('finances.tirage_vue', 'montant_compte', 'montant_attendu', 'ecart', 'montant_en_exception');

create function finances._cumul(p_id_caisse bigint) returns core.somme
language sql stable
return coalesce(
  (select t.cumul from finances.tirage t where t.id_caisse = p_id_caisse order by t.id_tirage desc limit 1), 0);
comment on function finances._cumul is 'Ce que les comptages d''une caisse ont déjà pris ; 0 avant le premier.';

-- A count for a day before the last counted day contains only what was recorded since: the later count has the rest.
create function finances._montant_attendu(p_id_caisse bigint, p_jour date) returns core.somme
language sql stable
return tresorerie._caisse_solde(p_id_caisse, greatest(p_jour, (
         select max(t.date) from finances.tirage t where t.id_caisse = p_id_caisse))) - finances._cumul(p_id_caisse);
comment on function finances._montant_attendu is 'Ce qu''attend un comptage de ce jour : ce qu''aucun n''a pris.';

-- The money of an exception is in the till from its day until a person takes it up, which makes it the money of a sale,
-- or abandons it.
create function finances._argent_en_exception(p_id_caisse bigint, p_jour date) returns core.somme
language sql stable
return coalesce((select sum(e.montant) from finances.exception_caisse e
                  where e.id_caisse = p_id_caisse and e.statut = 'OUVERTE' and e.jour <= greatest(p_jour, (
                          select max(t.date) from finances.tirage t where t.id_caisse = p_id_caisse))), 0);
comment on function finances._argent_en_exception is 'Argent des exceptions ouvertes d''une caisse au soir de ce jour.';

-- The number is taken again under the lock, so that the numbers of a till follow the order of its counts.
create function finances._t10_tirage_remplir() returns trigger
language plpgsql volatile as $$
declare
  v_en_exception numeric;
begin
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), new.id_caisse::integer);
  new.id_tirage := nextval(pg_get_serial_sequence('finances.tirage', 'id_tirage'));
  v_en_exception := finances._argent_en_exception(new.id_caisse, new.date);
  new.montant_attendu := finances._montant_attendu(new.id_caisse, new.date) + v_en_exception;
  new.montant_en_exception := v_en_exception - coalesce((
    select sum(t.montant_en_exception) from finances.tirage t where t.id_caisse = new.id_caisse), 0);
  new.cumul := finances._cumul(new.id_caisse) + new.montant_attendu;
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  return new;
end $$;
comment on function finances._t10_tirage_remplir is 'La base calcule le montant attendu et le cumul, caisse verrouillée.';

create trigger t10_tirage_remplir before insert on finances.tirage
  for each row execute function finances._t10_tirage_remplir();

create trigger t20_date_future before insert on finances.tirage
  for each row when (new.date > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date du comptage est dans le futur.');

call core.figer('TIRAGE_FIGE', 'Un comptage ne change ni ne s''efface : le suivant dit l''écart.',
  'before update or delete on finances.tirage');
