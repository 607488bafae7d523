create type jobs.contrats_expires as (contrats integer, logements integer, numeros text[]);
comment on type jobs.contrats_expires is 'Contrats arrivés à terme, et logements passés en nettoyage.';

create function jobs.transition_contrats_expires() returns jobs.contrats_expires
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrats bigint[];
  v_logements bigint[];
  v jobs.contrats_expires;
begin
  perform residence._acces_exiger();
  v_contrats := array(
    select c.id_contrat from residence.contrat_location c
     where c.statut = 'ACTIF' and c.date_fin_prevue < core.aujourdhui()
     order by c.id_contrat for no key update);
  update residence.contrat_location c set statut = 'TERMINE' where c.id_contrat = any (v_contrats);
  select array_agg(c.id_logement), coalesce(array_agg(c.numero_contrat order by c.id_contrat), '{}'), count(*)
    into v_logements, v.numeros, v.contrats
    from residence.contrat_location c where c.id_contrat = any (v_contrats);
  perform notification._emettre(
            'residence.contrat_expire', 'MEDIUM', 'Contrat arrivé à terme',
            format('Le contrat %s a pris fin le %s.', c.numero_contrat, to_char(c.date_fin_prevue, 'DD/MM/YYYY')),
            jsonb_build_object('id_contrat', c.id_contrat::text, 'id_client', c.id_client::text,
                               'numero_contrat', c.numero_contrat),
            'RESIDENCE.VOIR', null, residence._activite(), null)
     from residence.contrat_location c where c.id_contrat = any (v_contrats) order by c.id_contrat;
  v.logements := residence._logement_nettoyer(v_logements);
  return v;
end $$;
comment on function jobs.transition_contrats_expires() is
  'Termine les contrats actifs dont la fin prévue est passée, met leur logement en nettoyage et le signale ; une seconde fois ne trouve rien. Refuse : NOT_FOUND.';
