create function residence.contrat_activer(p_id_contrat bigint) returns residence.contrat_location_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
begin
  if v.statut <> 'EN_ATTENTE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', format('Le contrat %s n''est pas en attente.', v.numero_contrat),
                         jsonb_build_object('de', v.statut, 'vers', 'ACTIF'));
  end if;
  perform residence._logements_verrouiller(array[v.id_logement]);
  update residence.contrat_location c set statut = 'ACTIF' where c.id_contrat = p_id_contrat;
  update residence.logement l set statut = 'OCCUPE' where l.id_logement = v.id_logement;
  return residence.contrat_detail(p_id_contrat);
end $$;
comment on function residence.contrat_activer is 'Met en vigueur un contrat en attente ; son logement devient occupé.';
