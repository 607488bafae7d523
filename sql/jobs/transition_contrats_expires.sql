create type jobs.contrats_expires as (contrats integer, logements integer, numeros text[], sejours integer);
comment on type jobs.contrats_expires is 'Contrats arrivés à terme ; logements passés en nettoyage, ceux des préavis échus compris ; séjours payés dont le client est tenu pour parti.';

-- Locks, in this order: the leases by id, their rooms and the rooms of stays by id, the stays by id.
create function jobs.transition_contrats_expires() returns jobs.contrats_expires
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrats bigint[];
  v_preavis bigint[];
  v_logements bigint[];
  v_sejours residence.sejour_court[] := residence._sejours_partis();
  v jobs.contrats_expires;
begin
  perform abonnement._acces_exiger();
  with finis as (
    select c.* from residence.contrat_location c
     where c.statut = 'ACTIF' and c.date_fin_prevue < core.aujourdhui()
        or c.preavis and least(c.date_resiliation, c.date_fin_prevue) < core.aujourdhui()
     order by c.id_contrat for no key update)
  select coalesce(array_agg(f.id_contrat order by f.id_contrat) filter (where not f.preavis), '{}'),
         coalesce(array_agg(f.id_contrat order by f.id_contrat) filter (where f.preavis), '{}'),
         array_agg(f.id_logement),
         coalesce(array_agg(f.numero_contrat order by f.id_contrat) filter (where not f.preavis), '{}'),
         count(*) filter (where not f.preavis)
    into v_contrats, v_preavis, v_logements, v.numeros, v.contrats
    from finis f;
  perform residence._logements_verrouiller(v_logements || array(select s.id_logement from unnest(v_sejours) s));
  update residence.contrat_location c set statut = 'TERMINE' where c.id_contrat = any (v_contrats);
  update residence.contrat_location c set preavis = false where c.id_contrat = any (v_preavis);
  perform notification._emettre(
            'residence.contrat_expire', 'MEDIUM',
            case c.statut when 'RESILIE' then 'Préavis arrivé à terme' else 'Contrat arrivé à terme' end,
            format('Le contrat %s a pris fin le %s.', c.numero_contrat,
                   to_char(least(c.date_resiliation, c.date_fin_prevue), 'DD/MM/YYYY')),
            jsonb_build_object('id_contrat', c.id_contrat::text, 'id_client', c.id_client::text,
                               'numero_contrat', c.numero_contrat),
            'RESIDENCE.VOIR', null, residence._activite(), null)
     from residence.contrat_location c where c.id_contrat = any (v_contrats || v_preavis) order by c.id_contrat;
  v.logements := residence._logement_nettoyer(v_logements);
  v.sejours := residence._sejours_liberer(v_sejours);
  return v;
end $$;
comment on function jobs.transition_contrats_expires is
  'Termine les contrats actifs dont la fin prévue est passée et clôt les préavis échus, met leur logement en nettoyage et le signale ; les clients des séjours payés sont tenus pour partis à l''heure prévue, leur logement est à nettoyer.';
-- The update selects only leases that allow this transition.
call core.ne_refuse_pas('jobs.transition_contrats_expires', 'TRANSITION_INTERDITE');
