create function finances.operation_prendre(
  p_id_caisse bigint, p_id_appareil bigint, p_sequence bigint, p_id uuid, p_empreinte text, p_fonction text,
  p_operation jsonb, p_noms uuid[], p_cible uuid default null, p_code text default null, p_message text default null)
returns finances.operation_prise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.appareil;
  v_suivante bigint;
  v_connue finances.operation_appareil;
  v_juge record;
  v_reponses jsonb;
begin
  select * into strict v from finances.appareil a
   where a.id_appareil = p_id_appareil and a.id_caisse = p_id_caisse and a.id_cle = core.cle() for no key update;
  select * into v_connue from finances.operation_appareil o where o.id_operation = p_id;
  if found then
    if v_connue.empreinte <> p_empreinte or v_connue.id_appareil <> p_id_appareil
       or v_connue.sequence <> p_sequence then
      perform core.refuser(409, 'IDENTITE_DEJA_PRISE',
        format('L''identité %s est celle d''une autre opération.', p_id));
    end if;
    return finances._operation_rendue(p_id);
  end if;
  v_suivante := finances._derniere_sequence(p_id_appareil) + 1;
  if p_sequence < v_suivante then
    perform core.refuser(409, 'SEQUENCE_DEJA_PRISE',
      format('Le numéro %s est celui d''une autre opération : le suivant est %s.', p_sequence, v_suivante),
      jsonb_build_object('attendue', v_suivante::text));
  elsif p_sequence > v_suivante then
    perform core.refuser(409, 'SEQUENCE_MANQUANTE',
      format('L''opération %s n''est pas arrivée.', v_suivante),
      jsonb_build_object('attendue', v_suivante::text));
  end if;
  v_reponses := finances._reponses_nommees(p_id_caisse, p_noms);
  v_juge := finances._operation_juger(v, p_fonction, p_operation, p_noms, p_cible, v_reponses);
  v_juge.code := coalesce(p_code, v_juge.code);
  v_juge.message := coalesce(p_message, v_juge.message);
  if v_juge.code is not null then
    perform finances._operation_ecrire(
      p_id, p_id_appareil, p_sequence, p_empreinte, p_fonction, 'EXCEPTION', 409::smallint, null);
    perform finances._exception_ecrire(p_id, p_fonction, p_operation, v_juge.code, v_juge.message);
    return finances._operation_rendue(p_id);
  end if;
  perform finances._operation_situer(p_operation, finances._instant_lu(p_operation ->> 'instant'));
  return row(null, null, null, null, null, v_reponses)::finances.operation_prise;
end $$;
comment on function finances.operation_prendre is
  'Reçoit une opération d''un appareil : rend sa première réponse si elle est connue, en fait une exception si elle ne s''essaie pas, sinon prépare la transaction qui la fera. p_code : ce que le programme en a déjà refusé.';
