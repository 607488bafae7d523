create type notification.connecte as (
  id bigint, login text, role text, "idCaisse" bigint, "idActiviteScope" bigint, permissions text[]);
comment on type notification.connecte is 'Qui s''est connecté au canal en direct, et ce qu''il peut.';

create type notification.connexion as ("user" notification.connecte, rooms text[], empreinte text);
comment on type notification.connexion is 'Ce que le canal en direct dit à qui se connecte.';
comment on column notification.connexion.empreinte is 'Celle de ses droits, que droits() rend tant qu''ils n''ont pas changé.';

create function notification.connexion() returns notification.connexion
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.compte := auth.moi();
begin
  return row(
    row(v.id, v.login, v.role, v.id_caisse, v.id_activite_scope, v.permissions)::notification.connecte,
    array['tous'] || array(select 'perm:' || p.code from unnest(v.permissions) p(code)),
    core._trouve((select d.empreinte from notification.droits(array[v.id]) d)))::notification.connexion;
end $$;
comment on function notification.connexion is
  'L''utilisateur qui se connecte au canal en direct : ses droits, ses salons et l''empreinte des premiers.';
