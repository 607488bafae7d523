create type notification.connecte as (
  id bigint, login text, role text, "idCaisse" bigint, "idActiviteScope" bigint, permissions text[]);
comment on type notification.connecte is 'Qui s''est connecté au canal en direct, et ce qu''il peut.';

create type notification.connexion as ("user" notification.connecte, rooms text[], empreinte text);
comment on type notification.connexion is 'Ce que le canal en direct dit à qui se connecte.';
comment on column notification.connexion.empreinte is 'Celle de ses droits, que droits() rend tant qu''ils n''ont pas changé.';

create function notification.connexion() returns notification.connexion
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_compte auth.compte := auth.moi();
  v notification.connexion;
begin
  v."user" := row(v_compte.id, v_compte.login, v_compte.role, v_compte.id_caisse, v_compte.id_activite_scope,
                  v_compte.permissions)::notification.connecte;
  v.rooms := array['tous'] || array(select 'perm:' || p.code from unnest(v_compte.permissions) p(code));
  select d.empreinte into strict v.empreinte from notification.droits(array[v_compte.id]) d;
  return v;
end $$;
comment on function notification.connexion is
  'L''utilisateur qui se connecte au canal en direct : ses droits, ses salons et l''empreinte des premiers.';
