-- The till of an operation is the till of the user, if there is one, whatever the caller asks.

-- A closing takes the lock CAISSE exclusively: it waits for payments that hold it shared, and a later payment finds no
-- open period. The lock is a statement of its own, so that the next one sees the rows committed meanwhile.
create function finances._periode_ouverte(p_id_caisse bigint) returns bigint
language plpgsql volatile as $$
declare
  v_caisse finances.caisse;
  v_id_periode bigint;
begin
  if p_id_caisse is null then
    return null;
  end if;
  select * into strict v_caisse from finances.caisse c
   where c.id_caisse = p_id_caisse
     and (core._visible(c.id_activite, core.activite()) or c.id_caisse = core.caisse());
  if not v_caisse.actif then
    perform core.refuser(409, 'CAISSE_INACTIVE', format('La caisse « %s » est désactivée.', v_caisse.libelle));
  end if;

  perform pg_advisory_xact_lock_shared(core._verrou('CAISSE'), p_id_caisse::integer);
  select p.id_periode into v_id_periode from finances.periode_caisse p
   where p.id_caisse = p_id_caisse and p.fermeture is null;
  if not found then
    perform core.refuser(409, 'PERIODE_CAISSE_FERMEE',
                         format('La caisse « %s » est fermée : ouvrez-la d''abord.', v_caisse.libelle),
                         jsonb_build_object('id_caisse', p_id_caisse::text));
  end if;
  return v_id_periode;
end $$;
comment on function finances._periode_ouverte is
  'Période ouverte d''une caisse, qui ne fermera pas avant la fin de la transaction ; null sans caisse. Refuse NOT_FOUND, CAISSE_INACTIVE, PERIODE_CAISSE_FERMEE.';

-- The cashier of a till would not see money of another activity in it. Money on a past day that is already counted
-- would change this count. Money before the opening of the till is not in the days of its cashier. The present day
-- comes from clock_timestamp(): the transaction may have waited for the till since before midnight.
create function finances._caisse_verifier(p_id_caisse bigint, p_id_periode bigint, p_id_activite bigint, p_jour date)
returns void
language plpgsql volatile as $$
begin
  if exists (select from finances.caisse c where c.id_caisse = p_id_caisse and c.id_activite <> p_id_activite) then
    perform core.refuser(409, 'CAISSE_D_UNE_AUTRE_ACTIVITE', 'Cette caisse est celle d''une autre activité.');
  end if;
  if p_jour < core.jour(clock_timestamp()) then
    perform finances._jour_a_compter(p_id_caisse, p_jour);
    if core.caisse() is not null and core.moment() is null and exists (
         select from finances.periode_caisse p
          where p.id_periode = p_id_periode and p_jour < core.jour(p.ouverture)) then
      perform core.refuser(400, 'DATE_AVANT_OUVERTURE', 'Cette date précède l''ouverture de votre caisse.');
    end if;
  end if;
end $$;
comment on function finances._caisse_verifier is
  'L''argent d''une caisse est de son activité, d''un jour qui n''est pas encore compté, et pour qui est lié à une caisse, d''un jour où elle est ouverte. Refuse CAISSE_D_UNE_AUTRE_ACTIVITE, JOUR_DEJA_COMPTE, DATE_AVANT_OUVERTURE.';
-- The till of a user has the activity of the user. Without a date, the money is dated now.
call core.ne_refuse_que('finances._caisse_verifier', 'id_caisse', 'CAISSE_D_UNE_AUTRE_ACTIVITE');
call core.ne_refuse_que('finances._caisse_verifier', 'date', 'DATE_AVANT_OUVERTURE', 'JOUR_DEJA_COMPTE');

create function finances._jour_a_compter(p_id_caisse bigint, p_jour date) returns void
language plpgsql stable as $$
begin
  if exists (select from finances.tirage t where t.id_caisse = p_id_caisse and t.date = p_jour) then
    perform core.refuser(409, 'JOUR_DEJA_COMPTE',
      'Cette caisse est déjà comptée pour ce jour : une correction se date d''aujourd''hui.');
  end if;
end $$;
comment on function finances._jour_a_compter is 'Ce qu''un tirage a compté ne change plus.';

create function finances._periode_exiger(p_id_caisse bigint, p_id_periode bigint, p_phrase text) returns void
language plpgsql volatile as $$
begin
  -- The lock prevents a closing or a count of the till between this check and the write.
  perform pg_advisory_xact_lock_shared(core._verrou('CAISSE'), p_id_caisse::integer);
  if exists (select from finances.periode_caisse p where p.id_periode = p_id_periode and p.fermeture is not null) then
    perform core.refuser(409, 'PERIODE_CAISSE_FERMEE', p_phrase);
  end if;
end $$;
comment on function finances._periode_exiger is
  'Veille à ce que la période d''un paiement ou d''une dépense soit ouverte et le reste ; sans caisse, rien. Refuse PERIODE_CAISSE_FERMEE.';

-- Opening takes the lock CAISSE exclusively, so it comes before the payment takes it shared.
create function finances._caisse_ouvrir_automatiquement(p_id_caisse bigint) returns void
language plpgsql volatile as $$
begin
  if p_id_caisse is distinct from core.caisse() or core.parametre('OUVERTURE_AUTOMATIQUE') is distinct from 'oui'
     or exists (select from finances.periode_caisse p where p.id_caisse = p_id_caisse and p.fermeture is null)
     or not exists (select from finances.caisse c where c.id_caisse = p_id_caisse and c.actif) then
    return;
  end if;
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), p_id_caisse::integer);
  insert into finances.periode_caisse (id_caisse, ouverture, id_utilisateur_ouverture)
  select p_id_caisse, coalesce(core.moment(), clock_timestamp()), core.utilisateur()
   where not exists (select from finances.periode_caisse p where p.id_caisse = p_id_caisse and p.fermeture is null);
end $$;
comment on function finances._caisse_ouvrir_automatiquement is
  'Ouvre, sans fond, la caisse fermée à laquelle l''utilisateur est lié, quand OUVERTURE_AUTOMATIQUE le veut.';

create function finances._caisse_demandee(p_id_caisse bigint) returns bigint
language plpgsql stable as $$
begin
  if p_id_caisse <> core.caisse() then
    perform core.refuser(400, 'CAISSE_INTERDITE', 'Vous n''avez accès qu''à votre caisse.');
  end if;
  return coalesce(p_id_caisse, core.caisse());
end $$;
comment on function finances._caisse_demandee is 'Caisse d''une liste : celle demandée, sinon de l''utilisateur.';
