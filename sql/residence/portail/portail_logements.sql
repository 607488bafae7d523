create type residence.portail_logement_libre as (
  id_logement bigint, numero text, nom text, type residence.type_logement, tarif core.montant, id_batiment bigint,
  batiment_code text, batiment_nom text);
comment on type residence.portail_logement_libre is 'Logement en service, libre entre les dates données.';
comment on column residence.portail_logement_libre.tarif is 'À titre indicatif : l''acceptation fixe le prix.';
call core.peut_etre_null('residence.portail_logement_libre', 'nom');

create function residence._portail_libres(p_periode tstzrange) returns setof residence.portail_logement_libre
language sql stable
begin atomic
  select l.id_logement, l.numero, l.nom, l.type, l.tarif, b.id_batiment, b.code, b.nom
    from residence.logement l
    join residence.batiment b on b.id_batiment = l.id_batiment
   where l.statut not in ('INDISPONIBLE', 'EN_MAINTENANCE')
     and (p_periode is null or not exists (
            select from residence.occupation o where o.id_logement = l.id_logement and o.periode && p_periode));
end;
comment on function residence._portail_libres is
  'Logements en service que ni un contrat ni un séjour n''occupe pendant cette période ; tous, sans période.';

-- A date without a time means noon, the hour at which a night ends when nothing else is said.
create function residence._midi(p_instant timestamptz) returns timestamptz
language sql stable
return case when p_instant = core.debut_du_jour(core.jour(p_instant)) then p_instant + interval '12 hours'
            else p_instant end;
comment on function residence._midi is 'L''instant, ou midi de ce jour si c''est minuit.';

create function residence.portail_logements(
  p_date_arrivee timestamptz default null, p_date_depart timestamptz default null)
returns setof residence.portail_logement_libre
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_arrivee timestamptz := residence._midi(p_date_arrivee);
  v_depart timestamptz := residence._midi(p_date_depart);
begin
  perform client._portail_liste();
  -- A nap arrives and leaves on one day.
  if core.jour(p_date_arrivee) = core.jour(p_date_depart) and v_depart <= v_arrivee then
    v_depart := core.debut_du_jour(core.jour(p_date_arrivee) + 1);
  end if;
  if v_depart <= v_arrivee then
    perform core.refuser(400, 'DEPART_PREVU_ORDONNE', 'Le départ prévu doit suivre l''arrivée.');
  end if;
  return query select l.* from residence._portail_libres(
    case when num_nulls(v_arrivee, v_depart) < 2 then tstzrange(v_arrivee, v_depart) end) l order by l.tarif, l.numero;
end $$;
comment on function residence.portail_logements is
  'Logements libres entre deux dates, le moins cher d''abord ; une date sans heure est midi, la même deux fois l''après-midi d''un jour. Sans dates, tous les logements en service.';
