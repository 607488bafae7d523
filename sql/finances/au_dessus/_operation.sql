-- Operations that a device made without a network (docs/hors-ligne.md). Each is one transaction:
-- finances.operation_prendre takes its number, the operation runs in a savepoint, and finances.operation_garder keeps
-- its answer. Locks, in this order: the device, the locks of the operation, the till (shared).

-- The operations of a till. `montant` and `moyen` are the places, in the body, of the money that enters the till;
-- `sens` is -1 where it leaves. A cancellation gives back the money that the ticket names, and cancels only operations
-- of the same device: `annule`.
create view finances._hors_ligne_vue as
select x.fonction, x.montant::text[] as montant, x.moyen::text[] as moyen, x.sens, x.annule::text[] as annule
  from (values
    ('market.vente_creer', '{paiement,montant}', '{paiement,id_moyen}', 1, null),
    ('market.vente_annuler', null, null, -1, '{market.vente_creer}'),
    ('restaurant.commande_creer', '{paiement,montant}', '{paiement,id_moyen}', 1, null),
    ('restaurant.commande_avancer', null, null, 1, null),
    ('restaurant.commande_encaisser', '{montant}', '{id_moyen}', 1, null),
    ('restaurant.commande_annuler', null, null, -1, '{restaurant.commande_creer}'),
    ('pressing.commande_creer', '{paiement,montant}', '{paiement,id_moyen}', 1, null),
    ('pressing.commande_traiter', null, null, 1, null),
    ('pressing.commande_marquer_prete', null, null, 1, null),
    ('pressing.commande_retirer', '{solde}', '{id_moyen}', 1, null),
    ('pressing.commande_annuler', null, null, -1, '{pressing.commande_creer}'),
    ('residence.echeance_encaisser', '{montant}', '{id_moyen}', 1, null),
    ('finances.paiement_creer', '{montant}', '{id_moyen}', 1, null),
    ('finances.paiement_annuler', null, null, -1,
     '{finances.paiement_creer,residence.echeance_encaisser,pressing.commande_creer,pressing.commande_retirer}'),
    ('finances.depense_creer', '{montant}', null, -1, null),
    ('finances.caisse_ouvrir', null, null, 1, null),
    ('client.client_creer', null, null, 1, null)) x (fonction, montant, moyen, sens, annule);
comment on view finances._hors_ligne_vue is 'Opérations qu''un appareil fait sans réseau, et où se lit l''argent de chacune.';

-- Nothing that a device sends stops a lot, so a text that cannot be read, or that rounds to thirteen digits, is null.
create function finances._montant_lu(p_texte text) returns numeric
language sql immutable parallel safe
return case when p_texte ~ '^-?[0-9]{1,12}([.][0-9]{1,6})?$' then
         case when abs(round(p_texte::numeric, 2)) < 1000000000000 then p_texte::numeric end end;
comment on function finances._montant_lu is 'Ce montant, null s''il ne se lit pas.';

create function finances._entier_lu(p_texte text) returns bigint
language sql immutable parallel safe
return case when p_texte ~ '^[0-9]{1,18}$' then p_texte::bigint end;
comment on function finances._entier_lu is 'Cet entier, null s''il ne se lit pas.';

create function finances._instant_lu(p_texte text) returns timestamptz
language plpgsql stable as $$
begin
  return case when p_texte ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'
              then p_texte::timestamptz end;
exception when data_exception then
  return null;
end $$;
comment on function finances._instant_lu is 'Cet instant, null s''il ne se lit pas ou n''a pas de fuseau.';

create function finances._argent_d_operation(p_fonction text, p_operation jsonb) returns core.somme
language sql stable
return coalesce((
  select round(coalesce(
           finances._montant_lu(p_operation #>> '{ticket,montant}'),
           case when not finances._est_credit(finances._entier_lu(p_operation -> 'corps' #>> h.moyen))
                then h.sens * finances._montant_lu(p_operation -> 'corps' #>> h.montant) end, 0), 2)
    from (select 1) x
    left join finances._hors_ligne_vue h on h.fonction = p_fonction), 0);
comment on function finances._argent_d_operation is
  'Argent qu''une opération a fait entrer dans la caisse, négatif s''il en est sorti : ce que dit son ticket, sinon son corps.';

create type finances.operation_prise as (
  etat finances.etat_operation, statut smallint, reponse text, code text, message text, reponses jsonb);
comment on type finances.operation_prise is 'Une opération connue et sa première réponse ; etat est null de celle qui reste à faire.';
comment on column finances.operation_prise.reponses is 'Réponses des opérations qu''elle nomme, par identité.';
call core.peut_etre_null('finances.operation_prise', 'etat', 'statut', 'reponse', 'code', 'message', 'reponses');

create function finances._operation_rendue(p_id_operation uuid) returns finances.operation_prise
language sql stable
return (select row(o.etat, o.code_http, o.reponse, e.code, e.message, null)::finances.operation_prise
          from finances.operation_appareil o
          left join finances.exception_caisse e on e.id_operation = o.id_operation
         where o.id_operation = p_id_operation);
comment on function finances._operation_rendue is 'Première réponse d''une opération, aux octets près.';

-- The answer of an exception that a person has taken up is the answer of what was done instead.
create function finances._reponses_nommees(p_id_caisse bigint, p_noms uuid[]) returns jsonb
language sql stable
return (
  select jsonb_object_agg(n.nom, case when e.id_exception is null then coalesce(o.reponse, '')
                                      when e.statut = 'REPRISE' then coalesce(e.reponse, '') end)
    from unnest(p_noms) n (nom)
    left join (finances.operation_appareil o join finances.appareil a
               on a.id_appareil = o.id_appareil and a.id_caisse = p_id_caisse) on o.id_operation = n.nom
    left join finances.exception_caisse e on e.id_operation = o.id_operation
   where o.id_operation is not null);
comment on function finances._reponses_nommees is
  'Réponses de ces opérations de la caisse, null de celle qui est une exception ; une inconnue n''y est pas.';

create function finances._operation_situer(p_operation jsonb, p_instant timestamptz) returns void
language plpgsql volatile as $$
declare
  -- The device cannot have seen a version that is later than its operation.
  v_fonds constant bigint := coalesce((
    select v.id_version from finances.version_fonds v
     where v.depuis <= p_instant order by v.depuis desc, v.id_version desc limit 1), 0);
begin
  perform set_config('comptoir.moment', least(p_instant, clock_timestamp())::text, true),
          set_config('comptoir.fonds', least(v_fonds, coalesce(
            nullif(finances._entier_lu(p_operation #>> '{ticket,version}'), 0), v_fonds))::text, true),
          set_config('comptoir.ticket', p_operation #>> '{ticket,numero}', true);
end $$;
comment on function finances._operation_situer is 'Donne à la transaction le moment, les prix et le ticket de l''appareil.';

create function finances._operation_juger(
  p_appareil finances.appareil, p_fonction text, p_operation jsonb, p_noms uuid[], p_cible uuid, p_reponses jsonb,
  out code text, out message text)
language plpgsql stable as $$
declare
  v_h finances._hors_ligne_vue;
  v_instant constant timestamptz := finances._instant_lu(p_operation ->> 'instant');
begin
  select * into v_h from finances._hors_ligne_vue h where h.fonction = p_fonction;
  if p_operation ->> 'methode' is null and p_operation ->> 'chemin' is null then
    code := 'OPERATION_PERDUE';
    message := 'L''appareil a donné ce numéro et n''a plus l''opération : il a été effacé avant de l''envoyer.';
  elsif v_h.fonction is null or v_h.annule is not null and not exists (
       select from finances.operation_appareil o
        where o.id_operation = p_cible and o.id_appareil = p_appareil.id_appareil
          and o.fonction = any (v_h.annule)) then
    code := 'HORS_LIGNE_IMPOSSIBLE';
    message := case when v_h.annule is null then 'Une caisse ne fait pas cette opération sans réseau.'
                    else 'Sans réseau, un appareil n''annule que ce qu''il a fait, et le nomme dans le chemin.' end;
  elsif v_instant is null then
    code := 'INSTANT_INVALIDE';
    message := 'L''instant s''écrit comme 2026-01-31T18:05:00Z, avec son fuseau.';
  elsif v_instant > clock_timestamp() + interval '5 minutes' then
    code := 'HORLOGE_EN_AVANCE';
    message := 'L''horloge de l''appareil avance de plus de cinq minutes.';
  elsif v_instant < p_appareil.date_creation - interval '1 day' then
    code := 'HORLOGE_EN_RETARD';
    message := 'L''horloge de l''appareil retarde : il n''était pas encore inscrit à ce moment.';
  elsif p_operation #>> '{ticket,numero}' !~ ('^' || finances._prefixe(p_appareil.id_appareil) || '-[0-9]{6,12}$') then
    code := 'TICKET_INVALIDE';
    message := format('Un ticket de cet appareil s''écrit %s-000123.', finances._prefixe(p_appareil.id_appareil));
  elsif exists (select from jsonb_each(p_reponses) r where r.value = 'null') then
    code := 'DEPEND_D_UNE_EXCEPTION';
    message := 'Une opération que celle-ci nomme est une exception : reprenez-la d''abord.';
  elsif exists (select from unnest(p_noms) n (nom) where p_reponses is null or not p_reponses ? n.nom::text) then
    code := 'REFERENCE_SANS_VALEUR';
    message := 'Une opération que celle-ci nomme n''est pas arrivée de cette caisse.';
  end if;
end $$;
comment on function finances._operation_juger is 'Ce qui fait d''une opération une exception avant de l''essayer, null si rien.';

create function finances._client_nomme(p_reponse text) returns bigint
language sql immutable parallel safe
return substring(p_reponse from '"id_client" ?: ?"([0-9]+)"')::bigint;
comment on function finances._client_nomme is 'Client que nomme une réponse, null si elle n''en nomme pas.';

create function finances._operation_ecrire(
  p_id_operation uuid, p_id_appareil bigint, p_sequence bigint, p_empreinte text, p_fonction text,
  p_etat finances.etat_operation, p_statut smallint, p_reponse text)
returns void
language sql volatile
begin atomic
  insert into finances.operation_appareil (id_operation, id_appareil, sequence, empreinte, fonction, etat, code_http,
                                           reponse, client_nomme)
  values (p_id_operation, p_id_appareil, p_sequence, p_empreinte, p_fonction, p_etat, p_statut, p_reponse,
          finances._client_nomme(p_reponse));
end;
comment on function finances._operation_ecrire is 'Écrit une opération et sa réponse.';

create function finances._exception_ecrire(
  p_id_operation uuid, p_fonction text, p_operation jsonb, p_code text, p_message text) returns void
language plpgsql volatile as $$
begin
  -- A count either has the money of this exception, or finds that the operation has not arrived.
  perform pg_advisory_xact_lock_shared(core._verrou('CAISSE'), a.id_caisse::integer)
     from finances.operation_appareil o
     join finances.appareil a on a.id_appareil = o.id_appareil
    where o.id_operation = p_id_operation;
  insert into finances.exception_caisse (id_operation, id_caisse, code, message, operation, jour, montant, client_nomme)
  select p_id_operation, a.id_caisse, p_code, p_message, p_operation,
         core.jour(least(finances._instant_lu(p_operation ->> 'instant'), clock_timestamp())),
         finances._argent_d_operation(p_fonction, p_operation),
         finances._entier_lu(p_operation #>> '{corps,id_client}')
    from finances.operation_appareil o
    join finances.appareil a on a.id_appareil = o.id_appareil
   where o.id_operation = p_id_operation;
end $$;
comment on function finances._exception_ecrire is 'Écrit l''exception d''une opération.';

call core.figer('OPERATION_FIGEE', 'Une opération reçue d''un appareil ne change ni ne s''efface.',
  'before delete or truncate on finances.operation_appareil',
  'change: before update on finances.operation_appareil
    when (new.reponse <> ''{}'' or to_jsonb(new) - ''reponse'' <> to_jsonb(old) - ''reponse'')');
