-- finances.operation_prendre has locked the device in this transaction.
create function finances.operation_garder(
  p_id_appareil bigint, p_sequence bigint, p_id uuid, p_empreinte text, p_fonction text, p_operation jsonb,
  p_statut smallint, p_reponse text default null, p_code text default null, p_message text default null)
returns finances.operation_prise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from finances.appareil a
                  where a.id_appareil = p_id_appareil and a.id_cle = core.cle()) then
    raise no_data_found;
  end if;
  perform finances._operation_ecrire(
    p_id, p_id_appareil, p_sequence, p_empreinte, p_fonction,
    case when p_code is null then 'ACCEPTEE'::finances.etat_operation else 'EXCEPTION' end, p_statut, p_reponse);
  if p_code is not null then
    perform finances._exception_ecrire(p_id, p_fonction, p_operation, p_code, p_message);
  end if;
  return finances._operation_rendue(p_id);
end $$;
comment on function finances.operation_garder is
  'Garde la réponse d''une opération, dans la transaction de son effet, ou ce qui l''a refusée.';
