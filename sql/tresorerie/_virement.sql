-- Transfers between tills and accounts. Locks, in this order: the tills by id (exclusive), the accounts by id (shared),
-- the counter of the numbers. Two opposite transfers between two tills therefore wait for each other in one order, and
-- nothing leaves a till between the check of its money and the commit.

create type tresorerie.cote_virement as (id_caisse bigint, id_compte bigint);
comment on type tresorerie.cote_virement is 'Une caisse ou un compte, l''un ou l''autre.';
create type tresorerie.lieu as (id_caisse bigint, id_compte bigint, libelle text);
comment on type tresorerie.lieu is 'Caisse ou compte d''où part ou arrive l''argent.';
comment on column tresorerie.lieu.id_caisse is 'Null pour un compte.';
comment on column tresorerie.lieu.id_compte is 'Null pour une caisse.';
call core.peut_etre_null('tresorerie.cote_virement', 'id_caisse', 'id_compte');
call core.peut_etre_null('tresorerie.lieu', 'id_caisse', 'id_compte');

create view tresorerie.virement_vue as
select v.id_virement, v.numero::text as numero, v.date, v.montant, v.frais,
       row(v.id_caisse_de, v.id_compte_de, coalesce(kd.libelle, cd.libelle))::tresorerie.lieu as de,
       row(v.id_caisse_vers, v.id_compte_vers, coalesce(kv.libelle, cv.libelle))::tresorerie.lieu as vers,
       v.id_moyen, v.reference, v.motif, v.id_utilisateur, v.id_virement_origine,
       a.id_virement as id_virement_contraire
  from tresorerie.virement v
  left join finances.caisse kd on kd.id_caisse = v.id_caisse_de
  left join finances.caisse kv on kv.id_caisse = v.id_caisse_vers
  left join tresorerie.compte cd on cd.id_compte = v.id_compte_de
  left join tresorerie.compte cv on cv.id_compte = v.id_compte_vers
  left join tresorerie.virement a on a.id_virement_origine = v.id_virement
 where (core._visible(v.id_caisse_de, (select core.caisse()))
        or core._visible(v.id_caisse_vers, (select core.caisse())))
   and (core._visible(coalesce(kd.id_activite, cd.id_activite), (select core._activite_sans_caisse()))
        or core._visible(coalesce(kv.id_activite, cv.id_activite), (select core._activite_sans_caisse())));
comment on view tresorerie.virement_vue is
  'Virements que l''utilisateur peut voir : ceux qui partent de sa caisse ou de son activité ou y arrivent, sinon tous.';
comment on column tresorerie.virement_vue.montant is 'Ce qui arrive ; les frais s''y ajoutent au départ.';
comment on column tresorerie.virement_vue.de is 'D''où l''argent part.';
comment on column tresorerie.virement_vue.vers is 'Où l''argent arrive.';
comment on column tresorerie.virement_vue.id_virement_origine is 'Virement que celui-ci annule.';
comment on column tresorerie.virement_vue.id_virement_contraire is 'Virement qui annule celui-ci.';
call core.jamais_null('tresorerie.virement_vue', 'numero', 'de', 'vers');
call core.peut_etre_null('tresorerie.virement_vue', 'id_virement_contraire');

create function tresorerie._periode_du_virement(p_id_caisse bigint, p_jour date) returns bigint
language plpgsql volatile as $$
declare
  v_id_periode bigint := finances._periode_ouverte(p_id_caisse);
begin
  perform finances._caisse_verifier(p_id_caisse, v_id_periode, (
    select c.id_activite from finances.caisse c where c.id_caisse = p_id_caisse), p_jour);
  return v_id_periode;
end $$;
comment on function tresorerie._periode_du_virement is
  'Période ouverte d''une caisse dont ce jour n''est pas encore compté ; null sans caisse.';
-- A till has one activity, which is passed here.
call core.ne_refuse_pas('tresorerie._periode_du_virement', 'CAISSE_D_UNE_AUTRE_ACTIVITE');

create function tresorerie._t10_virement_remplir() returns trigger
language plpgsql volatile as $$
declare
  v_inactif text;
begin
  new.jour := core.jour(new.date);
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), c.id_caisse::integer)
     from (select k.id_caisse from finances.caisse k where k.id_caisse in (new.id_caisse_de, new.id_caisse_vers)
            order by k.id_caisse) c;
  perform from tresorerie.compte c where c.id_compte in (new.id_compte_de, new.id_compte_vers)
    order by c.id_compte for share;
  new.id_periode_de := tresorerie._periode_du_virement(new.id_caisse_de, new.jour);
  new.id_periode_vers := tresorerie._periode_du_virement(new.id_caisse_vers, new.jour);
  select c.libelle into v_inactif from tresorerie.compte c
   where c.id_compte in (new.id_compte_de, new.id_compte_vers) and not c.actif order by c.id_compte limit 1;
  if found then
    perform core.refuser(409, 'COMPTE_INACTIF', format('Le compte « %s » est désactivé.', v_inactif));
  end if;
  return new;
end $$;
comment on function tresorerie._t10_virement_remplir is
  'Jour, auteur et périodes de caisse d''un virement, caisses et comptes verrouillés.';

create trigger t10_virement_remplir before insert on tresorerie.virement
  for each row execute function tresorerie._t10_virement_remplir();

create trigger t20_date_future before insert on tresorerie.virement
  for each row when (new.jour > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date du virement est dans le futur.');

create trigger t20_periode_close before insert on tresorerie.virement
  for each row when (new.jour < date_trunc('month', core.jour(clock_timestamp())::timestamp))
  execute function compta._t20_periode_close();

create trigger t50_virement_numeroter before insert on tresorerie.virement
  for each row execute function core._t50_numeroter('VIR');

-- The row is there, so that the constraints have refused what has no sense, and the balance contains it.
create function tresorerie._t20_virement_couvert() returns trigger
language plpgsql volatile as $$
declare
  v_solde numeric := tresorerie._caisse_minimum(new.id_caisse_de, new.jour);
begin
  if v_solde < 0 then
    v_solde := v_solde + new.montant + case when new.id_virement_origine is null then new.frais else 0 end;
    perform core.refuser(409, 'CAISSE_INSUFFISANTE',
      format('La caisse n''a que %s, son fond à part : un virement et ses frais ne prennent pas davantage.',
             core.montant_ecrire(greatest(v_solde, 0))),
      jsonb_build_object('disponible', greatest(v_solde, 0)::text));
  end if;
  return null;
end $$;
comment on function tresorerie._t20_virement_couvert is 'Refuse de sortir d''une caisse plus qu''elle n''a, ce jour ou un jour suivant.';

create trigger t20_caisse_insuffisante after insert on tresorerie.virement
  for each row when (new.id_caisse_de is not null) execute function tresorerie._t20_virement_couvert();

call core.figer('VIREMENT_FIGE', 'Un virement ne change ni ne s''efface : il s''annule par un virement contraire.',
  'before update or delete or truncate on tresorerie.virement');
