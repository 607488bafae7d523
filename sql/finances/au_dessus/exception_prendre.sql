-- The person acts in the till of the exception, at the moment and with the prices of the device, unless a correction
-- says otherwise. core.contexte reads the till in each statement of the transaction.
create type finances.exception_prise as (operation jsonb, reponses jsonb);
comment on type finances.exception_prise is 'Opération à reprendre, et les réponses de celles qu''elle nomme.';
call core.peut_etre_null('finances.exception_prise', 'reponses');

create function finances.exception_prendre(
  p_id_caisse bigint, p_id_exception bigint, p_fonction text, p_noms uuid[], p_instant timestamptz default null)
returns finances.exception_prise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v constant finances.exception_caisse := finances._exception_verrouiller(p_id_caisse, p_id_exception);
  v_instant constant timestamptz := coalesce(
    p_instant, least(finances._instant_lu(v.operation ->> 'instant'), v.date_creation), now());
  v_reponses constant jsonb := finances._reponses_nommees(p_id_caisse, p_noms);
begin
  if not exists (select from finances._hors_ligne_vue h where h.fonction = p_fonction) then
    perform core.refuser(409, 'HORS_LIGNE_IMPOSSIBLE',
      'Une caisse ne fait pas cette opération sans réseau : abandonnez-la.');
  elsif exists (select from jsonb_each(v_reponses) r where r.value = 'null') then
    perform core.refuser(409, 'DEPEND_D_UNE_EXCEPTION',
      'Une opération que celle-ci nomme est une exception : reprenez-la d''abord.');
  elsif exists (select from unnest(p_noms) n (nom) where v_reponses is null or not v_reponses ? n.nom::text) then
    perform core.refuser(400, 'REFERENCE_SANS_VALEUR',
      'Une opération que celle-ci nomme n''est pas arrivée de cette caisse.');
  end if;
  perform set_config('comptoir.caisse_reprise', p_id_caisse::text, true),
          finances._operation_situer(v.operation, v_instant);
  return row(v.operation, v_reponses)::finances.exception_prise;
end $$;
comment on function finances.exception_prendre is
  'Verrouille une exception à reprendre, et prépare la transaction qui la fera, au jour et aux prix de l''appareil.';
