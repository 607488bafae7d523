-- Operations of devices that a rule refused. Each is kept whole until a person takes it up or abandons it.

create view finances.exception_caisse_vue as
select e.id_exception, e.id_caisse, o.id_appareil, a.libelle::text as appareil, o.id_operation, o.sequence,
       e.operation #>> '{ticket,numero}' as ticket, e.code, e.message, e.jour, e.montant,
       e.operation::core.objet as operation, e.statut, e.date_creation, e.motif,
       e.corrections::core.objet as corrections, e.reponse::core.objet as reponse, e.id_utilisateur, e.date_resolution
  from finances.exception_caisse e
  join finances.caisse_vue c on c.id_caisse = e.id_caisse
  join finances.operation_appareil o on o.id_operation = e.id_operation
  join finances.appareil a on a.id_appareil = o.id_appareil;
comment on view finances.exception_caisse_vue is 'Exceptions des caisses que l''utilisateur peut voir.';
comment on column finances.exception_caisse_vue.appareil is 'Libellé de l''appareil.';
comment on column finances.exception_caisse_vue.ticket is 'Numéro que l''appareil a imprimé, null s''il n''en a pas imprimé.';
call core.peut_etre_null('finances.exception_caisse_vue', 'ticket', 'motif', 'corrections', 'reponse', 'id_utilisateur',
  'date_resolution');
call core.jamais_null('finances.exception_caisse_vue', 'appareil', 'operation');

create function finances._exception_verrouiller(p_id_caisse bigint, p_id_exception bigint)
returns finances.exception_caisse
language plpgsql volatile as $$
declare
  v finances.exception_caisse;
begin
  perform from finances.exception_caisse_vue e where e.id_exception = p_id_exception and e.id_caisse = p_id_caisse;
  if not found then
    raise no_data_found;
  end if;
  select * into strict v from finances.exception_caisse e where e.id_exception = p_id_exception for no key update;
  if v.statut <> 'OUVERTE' then
    perform core.refuser(409, 'EXCEPTION_RESOLUE', 'Cette exception est déjà reprise ou abandonnée.');
  end if;
  return v;
end $$;
comment on function finances._exception_verrouiller is 'Verrouille une exception ouverte. Refuse NOT_FOUND, EXCEPTION_RESOLUE.';

call core.transitions('finances.exception_caisse', 'OUVERTE: REPRISE ABANDONNEE');

-- An erased client is named in the bodies, and his texts leave them.
call core.figer('EXCEPTION_FIGEE', 'Une exception se résout une fois ; rien d''autre n''y change.',
  'before delete or truncate on finances.exception_caisse',
  'change: before update on finances.exception_caisse when (
    (old.date_resolution is not null
     or (new.id_exception, new.id_operation, new.id_caisse, new.code, new.message, new.operation, new.jour, new.montant)
        is distinct from (old.id_exception, old.id_operation, old.id_caisse, old.code, old.message, old.operation,
                          old.jour, old.montant))
    and (coalesce(new.reponse, ''{}'') not in (''{}'', old.reponse) or new.motif not in (''[effacé]'', old.motif)
         or to_jsonb(new) - ''{operation,corrections,reponse,motif,client_nomme}''::text[]
            <> to_jsonb(old) - ''{operation,corrections,reponse,motif,client_nomme}''::text[]))');
