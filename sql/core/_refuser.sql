-- The only function that refuses, and the trigger that only refuses. SQLSTATE carries the HTTP status, the constraint
-- field the name of the rule, and the message is for the user.

create function core.refuser(p_statut integer, p_regle text, p_message text, p_details jsonb default null)
returns void
language plpgsql volatile as $$
begin
  raise exception using
    errcode = 'HT' || p_statut, constraint = p_regle, message = p_message, detail = coalesce(p_details::text, '');
end $$;
comment on function core.refuser is
  'Refuse l''opération : statut HTTP, nom de la règle, phrase pour l''utilisateur, détails facultatifs.';

create function core._t20_refuser() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(tg_argv[0]::integer, tg_argv[1], tg_argv[2]);
  return null;
end $$;
comment on function core._t20_refuser is
  'Refuse ce que retient le WHEN du déclencheur. Arguments : statut HTTP, nom de la règle, phrase pour l''utilisateur.';
