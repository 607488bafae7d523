-- Locks, in this order: rooms by id, the invoice, the stay, the till, the counter of the numbers.

call core.transitions('residence.sejour_court', 'EN_ATTENTE: EN_COURS ANNULE', 'EN_COURS: TERMINE ANNULE',
  'TERMINE: EN_COURS ANNULE');

create view residence.sejour_court_vue as
select s.id_sejour, s.type_prestation, s.id_client, s.id_logement, s.date_heure_arrivee, s.date_heure_depart_prevue,
       s.date_heure_depart_reelle, s.duree, s.tarif, s.montant_total,
       coalesce(f.montant_paye, 0)::core.montant as montant_paye,
       (case s.statut when 'ANNULE' then 0 else coalesce(f.reste, s.montant_total) end)::core.montant
         as reste_a_payer,
       s.id_moyen_paiement, s.statut, l.numero as numero_logement, c.nom as client_nom, c.prenoms as client_prenoms,
       f.id_facture, s.nombre_personnes, s.observations, s.motif_annulation, s.origine
  from residence.sejour_court s
  join residence.logement l on l.id_logement = s.id_logement
  left join client.client c on c.id_client = s.id_client
  left join facturation.facture f on f.source_type = 'SEJOUR' and f.source_id = s.id_sejour and not f.annulee
 where (select residence._visible());
comment on view residence.sejour_court_vue is 'Courts séjours et ce qui en est payé.';
comment on column residence.sejour_court_vue.montant_total is 'tarif × nuits prévues pour une nuitée, tarif pour une sieste, ou le prix convenu à l''acceptation d''une demande.';
comment on column residence.sejour_court_vue.reste_a_payer is 'montant_total − montant_paye, null d''une demande, 0 d''un séjour annulé.';
comment on column residence.sejour_court_vue.statut is 'EN_ATTENTE d''une demande. TERMINE dès que tout est payé, même si le client est encore là ; ou clos à son départ.';
comment on column residence.sejour_court_vue.date_heure_depart_reelle is 'Renseignée, le client est parti et le logement libéré.';
comment on column residence.sejour_court_vue.id_facture is 'Null avant le premier paiement.';
call core.peut_etre_null('residence.sejour_court_vue', 'client_nom', 'client_prenoms', 'id_facture', 'reste_a_payer');
call core.jamais_null('residence.sejour_court_vue', 'montant_paye');

create trigger t90_demande_creee after insert on residence.sejour_court
  for each row when (new.statut::text = 'EN_ATTENTE')
  execute function notification._t90_demande_creee(
    'residence.demande_creee', 'Demande de séjour', 'RESIDENCE.VOIR', 'LOCATION_RESIDENTIEL', 'id_sejour');
create trigger t90_demande_suivie after update of statut on residence.sejour_court
  for each row when (old.statut::text = 'EN_ATTENTE' and new.statut <> old.statut)
  execute function notification._t90_demande_suivie('residence.sejour.statut', 'Votre demande de séjour', 'id_sejour');

-- ---- dates and price

create function residence._nuits(p_arrivee timestamptz, p_depart timestamptz) returns integer
language sql stable
return core.jour(p_depart) - core.jour(p_arrivee);
comment on function residence._nuits is 'Nuits entre deux instants, en dates de gestion.';

create function residence._t10_sejour_remplir() returns trigger
language plpgsql volatile as $$
declare
  v_jour date := core.jour(new.date_heure_arrivee);
begin
  if tg_op = 'INSERT' then
    new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  end if;
  new.date_heure_depart_prevue := coalesce(new.date_heure_depart_prevue, case new.type_prestation
    when 'NUITEE' then core.debut_du_jour(v_jour + 1) + interval '12 hours'
    else core.debut_du_jour(v_jour + 1) - interval '1 second' end);
  if tg_op = 'UPDATE' and (new.type_prestation, new.date_heure_arrivee, new.date_heure_depart_prevue, new.tarif)
       is distinct from (old.type_prestation, old.date_heure_arrivee, old.date_heure_depart_prevue, old.tarif)
     and new.montant_convenu is not distinct from old.montant_convenu then
    new.montant_convenu := null;
  end if;
  new.montant_total := coalesce(new.montant_convenu, new.tarif * case new.type_prestation
    when 'NUITEE' then greatest(residence._nuits(new.date_heure_arrivee, new.date_heure_depart_prevue), 1) else 1 end);
  return new;
end $$;
comment on function residence._t10_sejour_remplir is 'Auteur, départ prévu s''il n''est pas dit, montant total ; le prix convenu ne vaut que pour les dates et le tarif acceptés.';

create trigger t10_sejour_remplir before insert or update of type_prestation, date_heure_arrivee,
  date_heure_depart_prevue, tarif, montant_convenu, montant_total on residence.sejour_court
  for each row execute function residence._t10_sejour_remplir();

create trigger t60_total_maximal before insert or update of type_prestation, date_heure_arrivee,
  date_heure_depart_prevue, tarif, montant_convenu, montant_total on residence.sejour_court
  for each row when (new.montant_total > 1000000) execute function core._t60_montant_maximal('montant_total');

create function residence._t20_sejour_dates() returns trigger
language plpgsql volatile as $$
declare
  v_nuits integer := residence._nuits(new.date_heure_arrivee, new.date_heure_depart_prevue);
begin
  if new.type_prestation = 'NUITEE' and v_nuits < 1 then
    perform core.refuser(400, 'NUITEE_SANS_NUIT', 'Une nuitée finit au plus tôt le lendemain de l''arrivée.');
  elsif new.type_prestation = 'SIESTE' and v_nuits <> 0 then
    perform core.refuser(400, 'SIESTE_DE_PLUSIEURS_JOURS', 'Une sieste commence et finit le même jour.');
  end if;
  return new;
end $$;
comment on function residence._t20_sejour_dates is 'Refuse NUITEE_SANS_NUIT, SIESTE_DE_PLUSIEURS_JOURS.';

create trigger t20_sejour_dates before insert or update of type_prestation, date_heure_arrivee, date_heure_depart_prevue
  on residence.sejour_court for each row execute function residence._t20_sejour_dates();

-- An issued invoice does not change, so the price of its stay does not change.
create trigger t20_sejour_facture before update on residence.sejour_court
  for each row when ((new.type_prestation, new.tarif, new.montant_total)
                     is distinct from (old.type_prestation, old.tarif, old.montant_total)
                     and facturation._source_facturee('SEJOUR', new.id_sejour))
  execute function core._t20_refuser(
    '409', 'SEJOUR_FACTURE',
    'Ce séjour est déjà facturé : son prix ne change plus. Ouvrez un autre séjour pour la suite.');

-- A closed stay no longer changes. Only the departure of a guest who paid in advance can still be recorded, or removed.
create trigger t20_sejour_clos before update on residence.sejour_court
  for each row when (old.statut in ('TERMINE', 'ANNULE') and (
    (new.type_prestation, new.id_client, new.id_logement, new.date_heure_arrivee, new.date_heure_depart_prevue,
     new.duree, new.tarif) is distinct from
    (old.type_prestation, old.id_client, old.id_logement, old.date_heure_arrivee, old.date_heure_depart_prevue,
     old.duree, old.tarif)
    or new.date_heure_depart_reelle is distinct from old.date_heure_depart_reelle
       and (old.statut = 'ANNULE'
            or old.date_heure_depart_reelle is not null and new.date_heure_depart_reelle is not null)))
  execute function core._t20_refuser('409', 'SEJOUR_CLOS', 'Ce séjour est terminé ou annulé : il ne change plus.');

-- A departure recorded in advance would free a room that the guest still occupies.
create trigger t30_depart_futur before insert or update of date_heure_depart_reelle on residence.sejour_court
  for each row when (new.date_heure_depart_reelle > greatest(clock_timestamp(), new.date_heure_arrivee))
  execute function core._t20_refuser(
    '400', 'DEPART_FUTUR', 'Le départ réel ne se note qu''une fois le client parti.');

-- Removing a departure, or cancelling after it, refunds used nights: it needs a stronger permission than editing.
create trigger t30_depart_note before update on residence.sejour_court
  for each row when (old.date_heure_depart_reelle is not null
                     and (new.date_heure_depart_reelle is null or new.statut = 'ANNULE' and old.statut <> 'ANNULE')
                     and not auth._permise('RESIDENCE.SUPPRIMER'))
  execute function core._t20_refuser(
    '403', 'DEPART_NOTE',
    'Le client est parti : annuler ce séjour ou effacer son départ demande la permission RESIDENCE.SUPPRIMER.');

-- ---- the room

-- A stay that is paid in full and TERMINE occupies its room until the guest leaves, or until the planned departure.
create function residence._t50_sejour_occupation() returns trigger
language plpgsql volatile as $$
declare
  v_periode tstzrange := tstzrange(new.date_heure_arrivee,
                                   least(new.date_heure_depart_reelle, new.date_heure_depart_prevue));
begin
  if new.statut in ('EN_ATTENTE', 'ANNULE') or isempty(v_periode) then
    delete from residence.occupation o where o.id_sejour = new.id_sejour;
  else
    insert into residence.occupation as o (id_logement, periode, id_sejour)
    values (new.id_logement, v_periode, new.id_sejour)
    on conflict (id_sejour) do update set id_logement = excluded.id_logement, periode = excluded.periode
      where (o.id_logement, o.periode) is distinct from (excluded.id_logement, excluded.periode);
  end if;
  return null;
end $$;
comment on function residence._t50_sejour_occupation is
  'Un séjour tient son logement de l''arrivée au départ prévu, ou au départ réel s''il vient plus tôt ; demandé ou annulé, il ne tient rien. Refuse LOGEMENT_DEJA_OCCUPE.';

create trigger t50_sejour_occupation after insert or update of id_logement, date_heure_arrivee,
  date_heure_depart_prevue, date_heure_depart_reelle, statut on residence.sejour_court
  for each row execute function residence._t50_sejour_occupation();

create function residence._logement_prendre(
  p_id_logement bigint, p_vers residence.statut_logement default 'OCCUPE') returns void
language plpgsql volatile as $$
declare
  v residence.logement;
begin
  -- An unknown room passes: the foreign key of the stay refuses it.
  select * into v from residence.logement l where l.id_logement = p_id_logement for no key update;
  if v.statut <> 'DISPONIBLE' then
    perform core.refuser(409, 'LOGEMENT_INDISPONIBLE', format('Le logement %s n''est pas disponible.', v.numero),
                         jsonb_build_object('statut', v.statut));
  end if;
  update residence.logement l set statut = p_vers where l.id_logement = p_id_logement;
end $$;
comment on function residence._logement_prendre is
  'Prend un logement DISPONIBLE : un séjour l''occupe dès l''enregistrement, un contrat le réserve. Refuse LOGEMENT_INDISPONIBLE.';
-- The room is DISPONIBLE.
call core.ne_refuse_pas('residence._logement_prendre', 'TRANSITION_INTERDITE');

-- The room keeps its state if another stay or lease occupies it, or if staff already changed it.
create function residence._logement_quitter(p_id_sejour bigint, p_id_logement bigint, p_vers residence.statut_logement)
returns void
language plpgsql volatile as $$
begin
  update residence.logement l set statut = p_vers
   where l.id_logement = p_id_logement and l.statut = 'OCCUPE'
     and not residence._logement_tenu(p_id_logement, p_id_sejour);
end $$;
comment on function residence._logement_quitter is
  'Le logement qu''occupait un séjour passe à l''état donné, sauf si quelqu''un d''autre l''occupe ou s''il n''est plus OCCUPE.';
-- The room is OCCUPE.
call core.ne_refuse_pas('residence._logement_quitter', 'TRANSITION_INTERDITE');

create function residence._sejours_partis() returns residence.sejour_court[]
language sql stable
return array(select s from residence.sejour_court s
              where s.statut = 'TERMINE' and s.date_heure_depart_reelle is null and s.date_heure_depart_prevue <= now()
              order by s.id_sejour);
comment on function residence._sejours_partis is 'Séjours payés dont le départ prévu est passé sans que personne ne l''ait noté.';

create function residence._sejour_partir(p_id_sejour bigint, p_id_logement bigint) returns boolean
language plpgsql volatile as $$
begin
  update residence.sejour_court s set date_heure_depart_reelle = s.date_heure_depart_prevue
   where s.id_sejour = p_id_sejour and s.id_logement = p_id_logement and s.statut = 'TERMINE'
     and s.date_heure_depart_reelle is null and s.date_heure_depart_prevue <= now();
  if not found then
    return false;
  end if;
  perform residence._logement_quitter(p_id_sejour, p_id_logement, 'EN_NETTOYAGE');
  return true;
end $$;
comment on function residence._sejour_partir is
  'Tient le client d''un séjour soldé pour parti à l''heure prévue, si elle est passée, et libère son logement, que l''appelant a verrouillé.';
-- The function records a past planned departure, where the stay has none.
call core.ne_refuse_pas('residence._sejour_partir', 'DEPART_FUTUR', 'DEPART_NOTE', 'SEJOUR_CLOS', 'SEJOUR_FACTURE');

create function residence._sejours_liberer(p_sejours residence.sejour_court[]) returns integer
language sql volatile
return (select count(*) filter (where residence._sejour_partir(s.id_sejour, s.id_logement))::integer
          from unnest(p_sejours) s);
comment on function residence._sejours_liberer is 'Tient les clients de ces séjours pour partis à l''heure prévue. Rend leur nombre.';

-- ---- money

-- The payment that settles the invoice ends the stay, whether it is made through the stay or on the invoice. When a
-- payment is cancelled, a stay whose guest has not left is reopened.
create function residence._sejour_suivre(p_facture facturation.facture) returns void
language plpgsql volatile as $$
begin
  if p_facture.statut = 'PAYEE' then
    update residence.sejour_court s set statut = 'TERMINE'
     where s.id_sejour = p_facture.source_id and s.statut = 'EN_COURS';
  elsif not p_facture.annulee then
    update residence.sejour_court s set statut = 'EN_COURS'
     where s.id_sejour = p_facture.source_id and s.statut = 'TERMINE' and s.date_heure_depart_reelle is null;
  end if;
end $$;
comment on function residence._sejour_suivre is
  'Un séjour en cours dont la facture est soldée devient TERMINE ; il redevient EN_COURS si un paiement annulé la laisse à payer et que le client n''est pas parti.';
-- The function only changes the state between EN_COURS and TERMINE.
call core.ne_refuse_pas('residence._sejour_suivre', 'SEJOUR_CLOS', 'SEJOUR_FACTURE', 'DEPART_NOTE',
  'TRANSITION_INTERDITE');

create function residence._sejour_reste(p_sejour residence.sejour_court) returns core.montant
language sql stable
return coalesce((select f.reste from facturation.facture f
                  where f.source_type = 'SEJOUR' and f.source_id = (p_sejour).id_sejour and not f.annulee),
                (p_sejour).montant_total);
comment on function residence._sejour_reste is 'Ce qui reste à payer d''un séjour, tout son prix avant sa facture.';

-- A guest who did not leave and still owes is not a guest who paid in advance.
create function residence._t10_sejour_rouvrir() returns trigger
language plpgsql volatile as $$
begin
  if residence._sejour_reste(new) > 0 then
    new.statut := 'EN_COURS';
  end if;
  return new;
end $$;
comment on function residence._t10_sejour_rouvrir is
  'Un séjour TERMINE dont on efface le départ redevient EN_COURS s''il reste à payer.';

create trigger t10_sejour_rouvrir before update of date_heure_depart_reelle on residence.sejour_court
  for each row when (old.date_heure_depart_reelle is not null and new.date_heure_depart_reelle is null
                     and new.statut = 'TERMINE')
  execute function residence._t10_sejour_rouvrir();

-- Triggers run in the order of their names: this one runs after the transition trigger.
create function residence._t20_sejour_rouvert() returns trigger
language plpgsql volatile as $$
begin
  if new.date_heure_depart_reelle is not null or residence._sejour_reste(new) = 0 then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
      'Un séjour terminé ne reprend que s''il reste à payer et que son départ n''est pas noté.',
      jsonb_build_object('de', old.statut, 'vers', new.statut));
  end if;
  return new;
end $$;
comment on function residence._t20_sejour_rouvert is
  'Un séjour TERMINE ne redevient EN_COURS que s''il reste à payer et que le client n''est pas parti. Refuse TRANSITION_INTERDITE.';

create trigger t20_transition_interdite_rouvrir before update of statut on residence.sejour_court
  for each row when (old.statut = 'TERMINE' and new.statut = 'EN_COURS')
  execute function residence._t20_sejour_rouvert();

create type residence.sejour_reglement as (
  sejour residence.sejour_court_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type residence.sejour_reglement is 'Séjour et sa facture ; sans paiement il n''y a ni facture, ni numero, ni id_paiement.';
call core.peut_etre_null('residence.sejour_reglement', 'facture', 'numero', 'id_paiement');

create function residence._sejour_regler(p_id_sejour bigint, p_montant core.montant_du_reglement, p_id_moyen bigint)
returns residence.sejour_reglement
language plpgsql volatile as $$
declare
  v residence.sejour_court_vue := residence.sejour_detail(p_id_sejour);
  v_libelle core.libelle := left(format('Séjour du %s, logement %s',
    to_char(core.jour(v.date_heure_arrivee), 'DD/MM/YYYY'), v.numero_logement), 200);
  v_quantite core.nombre := case v.type_prestation
    when 'NUITEE' then residence._nuits(v.date_heure_arrivee, v.date_heure_depart_prevue) else 1 end;
  v_code_taxe core.code := (select l.code_taxe from residence.logement l where l.id_logement = v.id_logement);
  v_reglement facturation.reglement;
begin
  v_reglement := finances._facture_regler(
    p_source_type => 'SEJOUR', p_source_id => p_id_sejour, p_id_activite => residence._activite(),
    p_id_client => v.id_client, p_libelle => v_libelle,
    p_lignes => array[case when v.montant_total = v_quantite * v.tarif
                           then facturation._ligne(v_libelle, v_quantite, v.tarif, v_code_taxe)
                           else facturation._ligne(v_libelle, 1, v.montant_total, v_code_taxe) end],
    p_montant => p_montant, p_id_moyen => p_id_moyen);
  update residence.sejour_court s set id_moyen_paiement = p_id_moyen where s.id_sejour = p_id_sejour;
  -- A guest who pays after the planned departure is recorded as departed at the planned time.
  perform residence._sejour_partir(p_id_sejour, v.id_logement);
  return row(residence.sejour_detail(p_id_sejour), finances._solde(v_reglement), v_reglement.numero,
             v_reglement.id_paiement);
end $$;
comment on function residence._sejour_regler is
  'Paie un séjour : le premier paiement émet sa facture. Soldé après le départ prévu, le client est tenu pour parti à l''heure prévue.';
-- Only the method of payment is written here.
call core.ne_refuse_pas('residence._sejour_regler', 'DEPART_NOTE', 'SEJOUR_CLOS', 'SEJOUR_FACTURE');

create function residence._sejour_verrouiller(p_id_sejour bigint, p_id_logement bigint default null)
returns residence.sejour_court
language plpgsql volatile as $$
begin
  perform residence.sejour_detail(p_id_sejour);
  perform from residence.logement l
    where l.id_logement in (
            p_id_logement, (select s.id_logement from residence.sejour_court s where s.id_sejour = p_id_sejour))
    order by l.id_logement for no key update;
  perform from facturation.facture f
    where f.source_type = 'SEJOUR' and f.source_id = p_id_sejour and not f.annulee for update;
  return core._trouve((select s from residence.sejour_court s where s.id_sejour = p_id_sejour for no key update));
end $$;
comment on function residence._sejour_verrouiller is
  'Verrouille le logement d''un séjour et celui où il irait, sa facture, puis le séjour, et le rend. Refuse NOT_FOUND.';
