create type residence.portail_echeances as (
  echeances residence.portail_echeance[], prochaine_echeance residence.prochaine_echeance, total_impayes core.somme);
comment on type residence.portail_echeances is 'Échéances du résident.';
comment on column residence.portail_echeances.echeances is 'Par date, de tous ses contrats.';
call core.peut_etre_null('residence.portail_echeances', 'prochaine_echeance');

create function residence.portail_echeances() returns residence.portail_echeances
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_liste();
begin
  return row(array(select e from residence._portail_echeances(v_id_client) e order by e.date_echeance, e.id_echeance),
             residence._portail_prochaine(v_id_client),
             residence._portail_impayes(v_id_client))::residence.portail_echeances;
end $$;
comment on function residence.portail_echeances is 'Échéances du résident connecté, payées et à payer.';
