-- The policies of row-level security for each role. The file runs once for each load of the code: dropping the former
-- code drops them. Policies do not apply to the owner of a table.

-- comptoir_portail: the rows of the client of the request. Without a client the setting is empty, every condition is
-- NULL, and no row is visible.
do $$
declare
  v_table regclass;
begin
  foreach v_table in array array[
    'client.client', 'residence.contrat_location', 'facturation.facture', 'pressing.commande',
    'abonnement.souscription', 'residence.sejour_court', 'salle_fete.reservation', 'market.vente',
    'restaurant.commande', 'signalement.signalement']::regclass[] loop
    execute format('create policy portail on %s to comptoir_portail
                      using (id_client = nullif(current_setting(''comptoir.client'', true), '''')::bigint)', v_table);
  end loop;
end $$;

-- A line, a movement or a photo belongs to the row that names the client.
create policy portail on abonnement.mouvement to comptoir_portail
  using (id_souscription = any (array(select s.id_souscription from abonnement.souscription s
                                       where s.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on pressing.commande_ligne to comptoir_portail
  using (id_commande = any (array(select c.id_commande from pressing.commande c
                                   where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on restaurant.commande_ligne to comptoir_portail
  using (id_commande = any (array(select c.id_commande from restaurant.commande c
                                   where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on signalement.photo to comptoir_portail
  using (id_signalement = any (array(select s.id_signalement from signalement.signalement s
                                      where s.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on market.vente_ligne to comptoir_portail
  using (id_vente = any (array(select v.id_vente from market.vente v
                                where v.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));

-- The lease names the client. PostgreSQL evaluates the array once and uses it as an index condition. A subquery would
-- be a filter on each row.
create policy portail on residence.revision_loyer to comptoir_portail
  using (id_contrat = any (array(select c.id_contrat from residence.contrat_location c
                                  where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on residence.echeance to comptoir_portail
  using (id_contrat = any (array(select c.id_contrat from residence.contrat_location c
                                  where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on residence.caution to comptoir_portail
  using (id_contrat = any (array(select c.id_contrat from residence.contrat_location c
                                  where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on residence.caution_evenement to comptoir_portail
  using (id_caution = any (array(select c.id_caution from residence.caution c
                                   join residence.contrat_location l on l.id_contrat = c.id_contrat
                                  where l.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on residence.etat_des_lieux to comptoir_portail
  using (id_contrat = any (array(select c.id_contrat from residence.contrat_location c
                                  where c.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));

-- The invoice names the client.
create policy portail on facturation.facture_ligne to comptoir_portail
  using (id_facture = any (array(select f.id_facture from facturation.facture f
                                  where f.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on facturation.facture_ligne_taxe to comptoir_portail
  using (id_facture = any (array(select f.id_facture from facturation.facture f
                                  where f.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on finances.application_paiement to comptoir_portail
  using (id_facture = any (array(select f.id_facture from facturation.facture f
                                  where f.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on finances.paiement to comptoir_portail
  using (id_paiement = any (array(select a.id_paiement from finances.application_paiement a
                                    join facturation.facture f on f.id_facture = a.id_facture
                                   where f.id_client = nullif(current_setting('comptoir.client', true), '')::bigint
                                  union all
                                  select h.id_paiement from residence.caution_evenement h
                                    join residence.caution c on c.id_caution = h.id_caution
                                    join residence.contrat_location l on l.id_contrat = c.id_contrat
                                   where l.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));

-- comptoir_code: all rows. The views and functions contain the rules.
do $$
declare
  v_table regclass;
begin
  for v_table in select c.oid from pg_class c where c.relrowsecurity and c.relowner = 'comptoir_owner'::regrole
  loop
    execute format('create policy code on %s to comptoir_code using (true) with check (true)', v_table);
  end loop;
end $$;
