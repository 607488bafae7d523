-- Lock order of every operation on a lease: the lease, its room, its invoices by id, its instalments.

call core.transitions('residence.contrat_location', 'EN_ATTENTE: ACTIF RESILIE', 'ACTIF: RESILIE TERMINE');

-- An older client says EXPIRE for TERMINE.
create type residence.statut_contrat_nomme as enum ('EN_ATTENTE', 'ACTIF', 'EXPIRE', 'RESILIE', 'TERMINE');
comment on type residence.statut_contrat_nomme is 'État d''un contrat tel qu''on le demande ; EXPIRE veut dire TERMINE.';

-- Of two revisions for the same day, the later one counts: the period of the earlier one is empty.
create function residence._loyers_revises(p_contrats bigint[])
returns table (id_contrat bigint, loyer core.montant, depuis date, avant date)
language sql stable
begin atomic
  select r.id_contrat, r.nouveau_montant, r.date_effet,
         lead(r.date_effet, 1, 'infinity') over (partition by r.id_contrat order by r.date_effet, r.id_revision)
    from residence.revision_loyer r
   where r.id_contrat = any (p_contrats);
end;
comment on function residence._loyers_revises is
  'Loyers révisés de ces contrats, et les jours où chacun vaut : de depuis, compris, à avant, non compris.';

create function residence._loyer(p_id_contrat bigint, p_loyer core.montant, p_jour date) returns core.montant
language sql stable
return coalesce((select r.loyer from residence._loyers_revises(array[p_id_contrat]) r
                  where r.depuis <= p_jour and p_jour < r.avant), p_loyer);
comment on function residence._loyer is
  'Loyer d''un contrat un jour donné : celui de la dernière révision qui a pris effet, sinon le loyer signé.';

create view residence.contrat_location_vue as
select c.id_contrat, c.numero_contrat, c.id_client, c.id_logement, c.date_debut, c.date_fin_prevue, c.duree_mois,
       c.type_location, residence._loyer(c.id_contrat, c.loyer_initial, (select core.aujourdhui())) as montant_loyer,
       c.periodicite, c.statut, c.date_signature, c.date_resiliation, c.motif_resiliation,
       (select x.code from client.client x where x.id_client = c.id_client) as client_code,
       (select l.numero from residence.logement l where l.id_logement = c.id_logement) as numero_logement,
       (select b.code from residence.logement l join residence.batiment b using (id_batiment)
         where l.id_logement = c.id_logement) as batiment_code
  from residence.contrat_location c
 where (select residence._visible());
comment on view residence.contrat_location_vue is 'Contrats de location.';
comment on column residence.contrat_location_vue.montant_loyer is 'Loyer en vigueur ce jour, du mois ou de l''année selon type_location.';
call core.jamais_null('residence.contrat_location_vue', 'montant_loyer', 'client_code', 'numero_logement',
  'batiment_code');

create view residence.revision_loyer_vue as
select r.id_revision, r.id_contrat, r.ancien_montant, r.nouveau_montant, r.date_effet, r.motif, r.date_creation
  from residence.revision_loyer r;
comment on view residence.revision_loyer_vue is 'Révisions du loyer d''un contrat.';

-- Before credit notes, what was paid beyond the amount owed stayed on the instalment.
create function residence._loyers_en_trop(p_id_contrat bigint)
returns table (id_facture bigint, date_echeance date, trop numeric)
language sql stable
begin atomic
  select t.*
    from (select f.id_facture, e.date_echeance, f.montant_credit + case when f.annulee then 0
                 else greatest(e.montant_paye - e.montant_du, 0) end as trop
            from residence.echeance e
            join facturation.facture f on f.source_type = 'LOCATION' and f.source_id = e.id_echeance
           where e.id_contrat = p_id_contrat and e.montant_du is not null) t
   where t.trop > 0;
end;
comment on function residence._loyers_en_trop is
  'Ce que les factures d''un contrat clos ont reçu de plus que ce qui en est dû, et qui n''est pas rendu.';

-- The client may have spent the credit elsewhere.
create function residence._a_rembourser(p_id_contrat bigint) returns core.somme
language sql stable
return (select case when sum(t.trop) > 0 then least(sum(t.trop), sum(t.trop - f.montant_credit) + finances._credit(
                 (select c.id_client from residence.contrat_location c where c.id_contrat = p_id_contrat))) else 0 end
          from residence._loyers_en_trop(p_id_contrat) t
          join facturation.facture f on f.id_facture = t.id_facture);
comment on function residence._a_rembourser is
  'Payé au-delà de ce qui est dû des échéances d''un contrat clos, et que le client n''a pas repris.';

create view residence.contrat_location_detail_vue as
select c.*,
       residence._a_rembourser(c.id_contrat) as montant_a_rembourser,
       array(select e from residence.echeance_vue e
              where e.id_contrat = c.id_contrat order by e.date_echeance) as echeances,
       array(select r from residence.revision_loyer_vue r
              where r.id_contrat = c.id_contrat order by r.id_revision) as revisions
  from residence.contrat_location_vue c;
comment on view residence.contrat_location_detail_vue is 'Contrat, ses échéances et les révisions de son loyer.';
comment on column residence.contrat_location_detail_vue.echeances is 'Par date, sans celles qu''une résiliation ou une annulation a annulées.';
comment on column residence.contrat_location_detail_vue.montant_a_rembourser is 'Payé au-delà de ce qu''un contrat résilié ou annulé doit ; POST …/rembourser le rend.';
call core.peut_etre_null('residence.contrat_location_detail_vue', 'montant_a_rembourser');

create function residence._contrat_verrouiller(p_id_contrat bigint) returns residence.contrat_location
language plpgsql volatile as $$
begin
  return core._trouve((select c from residence.contrat_location c
                        where c.id_contrat = p_id_contrat and residence._visible() for no key update));
end $$;
comment on function residence._contrat_verrouiller is
  'Un contrat visible par l''utilisateur, verrouillé : ses échéances, ses paiements et son état ne changent plus que par cette transaction. Refuse NOT_FOUND.';

create function residence._t10_contrat_remplir() returns trigger
language plpgsql volatile as $$
declare
  v_annee integer := extract(year from core.aujourdhui());
begin
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  new.date_fin_prevue := coalesce(
    new.date_fin_prevue, (new.date_debut + make_interval(months => new.duree_mois::integer) - interval '1 day')::date);
  new.periodicite := coalesce(new.periodicite, new.type_location::text);
  new.numero_contrat := coalesce(
    new.numero_contrat, concat_ws('-', 'CON', v_annee, core._chiffres(core._rang('CON', v_annee), 3)));
  return new;
end $$;
comment on function residence._t10_contrat_remplir is
  'Auteur, fin prévue déduite de la durée, périodicité, numéro CON-<AAAA>-<NNN> d''un nouveau contrat.';

create trigger t10_contrat_remplir before insert on residence.contrat_location
  for each row execute function residence._t10_contrat_remplir();

call core.figer('CONTRAT_FIGE', 'Un contrat signé ne se réécrit pas : révisez son loyer ou résiliez-le.',
  'before update of numero_contrat, id_client, id_logement, date_debut, date_fin_prevue, type_location, loyer_initial
    on residence.contrat_location');

-- A lease occupies its room until its last day, or without an end. Terminated for a future day, it occupies the room
-- through that day. Terminated for today or earlier, it frees the room on that day, today at the latest: the room can
-- be let again at once. The caller has locked the room, so no other transaction writes its occupations.
create function residence._t50_contrat_occupation() returns trigger
language plpgsql volatile as $$
declare
  v_periode tstzrange := tstzrange(core.debut_du_jour(new.date_debut), case
    when new.preavis then core.debut_du_jour(least(new.date_resiliation, new.date_fin_prevue) + 1)
    when new.statut = 'RESILIE' then
      greatest(core.debut_du_jour(least(new.date_resiliation, core.aujourdhui())), core.debut_du_jour(new.date_debut))
    else core.debut_du_jour(new.date_fin_prevue + 1) end);
begin
  if isempty(v_periode) then
    delete from residence.occupation o where o.id_contrat = new.id_contrat;
  else
    insert into residence.occupation as o (id_logement, periode, id_contrat)
    values (new.id_logement, v_periode, new.id_contrat)
    on conflict (id_contrat) do update set periode = excluded.periode where o.periode <> excluded.periode;
  end if;
  return null;
end $$;
comment on function residence._t50_contrat_occupation is
  'Tient la période pendant laquelle un contrat occupe son logement ; deux qui se croisent sont refusées : LOGEMENT_DEJA_OCCUPE.';

create trigger t50_contrat_occupation after insert or update of statut, date_resiliation on residence.contrat_location
  for each row execute function residence._t50_contrat_occupation();

create function residence._logement_tenu(p_id_logement bigint, p_sauf_sejour bigint default null) returns boolean
language sql stable
return exists (select from residence.contrat_location c
                where c.id_logement = p_id_logement and (c.statut = 'ACTIF' or c.preavis))
    or exists (select from residence.sejour_court s
                where s.id_logement = p_id_logement and s.id_sejour is distinct from p_sauf_sejour
                  and s.date_heure_depart_reelle is null
                  and (s.statut = 'EN_COURS' or s.statut = 'TERMINE' and s.date_heure_depart_prevue > now()));
comment on function residence._logement_tenu is
  'Vrai si un contrat actif ou en préavis, ou un séjour dont le client n''est pas parti, tient le logement ; un séjour peut être mis à part.';

create function residence._logements_verrouiller(p_logements bigint[]) returns void
language sql volatile
begin atomic
  select from residence.logement l where l.id_logement = any (p_logements) order by l.id_logement for no key update;
end;
comment on function residence._logements_verrouiller is 'Verrouille des logements, par identifiant.';

create function residence._logement_nettoyer(p_logements bigint[]) returns integer
language sql volatile
begin atomic
  select residence._logements_verrouiller(p_logements);
  with nettoyes as (
    update residence.logement l set statut = 'EN_NETTOYAGE'
     where l.id_logement = any (p_logements) and l.statut = 'OCCUPE' and not residence._logement_tenu(l.id_logement)
    returning 1)
  select count(*)::integer from nettoyes;
end;
comment on function residence._logement_nettoyer is
  'Met en nettoyage les logements qu''un contrat occupait ; un logement déjà libéré à la main reste comme il est, et celui que quelqu''un d''autre tient aussi.';
