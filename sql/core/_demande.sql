-- Requests from the portal, in every trade. A row born EN_ATTENTE holds nothing. Staff accept it (…_valider) or refuse
-- it (…_annuler), and its client may withdraw it until then (…_renoncer). Only PL/pgSQL names the label EN_ATTENTE of
-- an enum; elsewhere a condition compares the state as text (docs/decisions/0054-demandes.md).

create function core._demande_en_attente(p_statut text) returns void
language plpgsql stable as $$
begin
  if p_statut <> 'EN_ATTENTE' then
    perform core.refuser(409, 'DEMANDE_TRAITEE',
      format('Cette demande est déjà traitée : elle est à l''état %s.', core.etat_ecrire(p_statut)),
      jsonb_build_object('statut', p_statut));
  end if;
end $$;
comment on function core._demande_en_attente is 'Veille à ce qu''une demande attende encore sa réponse. Refuse DEMANDE_TRAITEE.';

create function core._demande_repondue(p_statut text) returns void
language plpgsql stable as $$
begin
  if p_statut = 'EN_ATTENTE' then
    perform core.refuser(409, 'DEMANDE_EN_ATTENTE',
      'Cette demande attend une réponse : validez-la ou annulez-la d''abord.');
  end if;
end $$;
comment on function core._demande_repondue is 'Veille à ce que ce ne soit pas une demande sans réponse. Refuse DEMANDE_EN_ATTENTE.';

create function core._demande_a_venir(p_instant timestamptz) returns void
language plpgsql stable as $$
begin
  if p_instant <= now() then
    perform core.refuser(400, 'DEMANDE_PASSEE', 'Une demande porte sur un moment à venir.');
  end if;
end $$;
comment on function core._demande_a_venir is 'Veille à ce qu''une demande porte sur un moment à venir. Refuse DEMANDE_PASSEE.';

create function core._demande_encore_utile(p_fin timestamptz) returns void
language plpgsql stable as $$
begin
  if p_fin <= now() then
    perform core.refuser(409, 'DEMANDE_PERIMEE', 'Le moment demandé est passé : refusez cette demande.');
  end if;
end $$;
comment on function core._demande_encore_utile is 'Veille à ce que le moment demandé ne soit pas entièrement passé. Refuse DEMANDE_PERIMEE.';

-- The client of the request withdraws it. The detail of the portal refuses a request of another client.
create procedure core.renoncement(
  p_fonction text, p_table regclass, p_detail regproc, p_statut text default 'ANNULEE')
language plpgsql as $$
declare
  v_parametre text := (select p.proargnames[1] from pg_proc p where p.oid = p_detail);
begin
  call core._operation(
    format('%s(%s bigint, p_motif core.texte default null)', p_fonction, v_parametre), pg_get_function_result(p_detail),
    'volatile', format('
begin
  perform %1$s(%2$s);
  perform core._demande_en_attente(t.statut::text)
     from (select t.statut from %3$s t where t.%4$s = %2$s for no key update) t;
  update %3$s t set statut = %5$L, motif_annulation = p_motif where t.%4$s = %2$s;
  return %1$s(%2$s);
end ', p_detail, v_parametre, p_table, substr(v_parametre, 3), p_statut));
end $$;
comment on procedure core.renoncement is
  'Écrit la fonction par laquelle le client connecté annule sa demande, tant qu''elle attend. Refuse NOT_FOUND, DEMANDE_TRAITEE.';
