-- The policies of row-level security for each role. The file runs once for each load of the code: dropping the former
-- code drops them. Policies do not apply to the owner of a table.

-- comptoir_portail: the rows of the client of the request. Without a client the setting is empty, every condition is
-- NULL, and no row is visible.
do $$
declare
  v_table regclass;
begin
  foreach v_table in array array[
    'client.client', 'residence.contrat_location', 'facturation.facture', 'facturation.avoir',
    'finances.mouvement_credit', 'pressing.commande',
    'abonnement.souscription', 'residence.sejour_court', 'salle_fete.reservation', 'market.vente',
    'restaurant.commande', 'signalement.signalement']::regclass[] loop
    execute format('create policy portail on %s to comptoir_portail
                      using (id_client = nullif(current_setting(''comptoir.client'', true), '''')::bigint)', v_table);
  end loop;
end $$;

-- A line, an instalment or a photo belongs to the row that names the client, and has its key. PostgreSQL evaluates the
-- array once and uses it as an index condition. A subquery would be a filter on each row.
do $$
declare
  v record;
begin
  for v in
    select t.enfant, t.parent, a.attname as cle
      from (values
        ('abonnement.mouvement'::regclass, 'abonnement.souscription'::regclass),
        ('pressing.commande_ligne', 'pressing.commande'),
        ('restaurant.commande_ligne', 'restaurant.commande'),
        ('market.vente_ligne', 'market.vente'),
        ('signalement.photo', 'signalement.signalement'),
        ('residence.revision_loyer', 'residence.contrat_location'),
        ('residence.echeance', 'residence.contrat_location'),
        ('residence.caution', 'residence.contrat_location'),
        ('residence.etat_des_lieux', 'residence.contrat_location'),
        ('facturation.facture_ligne', 'facturation.facture'),
        ('facturation.facture_ligne_taxe', 'facturation.facture'),
        ('finances.application_paiement', 'facturation.facture')) as t (enfant, parent)
      join pg_index i on i.indrelid = t.parent and i.indisprimary
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
  loop
    execute format('create policy portail on %1$s to comptoir_portail
                      using (%2$I = any (array(select p.%2$I from %3$s p
                                                where p.id_client = nullif(current_setting(''comptoir.client'', true), '''')::bigint)))',
                   v.enfant, v.cle, v.parent);
  end loop;
end $$;

-- Two steps away from it.
create policy portail on residence.caution_evenement to comptoir_portail
  using (id_caution = any (array(select c.id_caution from residence.caution c
                                   join residence.contrat_location l on l.id_contrat = c.id_contrat
                                  where l.id_client = nullif(current_setting('comptoir.client', true), '')::bigint)));
create policy portail on finances.paiement to comptoir_portail
  using (id_facture = any (array(select f.id_facture from facturation.facture f
                                  where f.id_client = nullif(current_setting('comptoir.client', true), '')::bigint))
         or id_paiement = any (array(select a.id_paiement from finances.application_paiement a
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
