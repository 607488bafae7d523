create type facturation.portail_facture as (
  id_facture bigint, numero text, date timestamptz, activite text, libelle text, remise core.montant,
  montant_total core.montant, montant_paye core.montant, reste core.montant_signe, statut facturation.statut_facture);
comment on type facturation.portail_facture is 'Facture du client connecté.';
comment on column facturation.portail_facture.activite is 'Activité qui l''a émise.';
call core.peut_etre_null('facturation.portail_facture', 'activite', 'libelle');

create function facturation._portail_factures(p_id_client bigint) returns setof facturation.portail_facture
language sql stable
begin atomic
  select f.id_facture, f.numero::text, f.date, a.libelle::text, f.libelle::text, f.remise::core.montant,
         f.montant_total::core.montant, f.montant_paye::core.montant, f.reste::core.montant_signe, f.statut
    from facturation.facture f
    left join core.activite a on a.id_activite = f.id_activite
   where f.id_client = p_id_client;
end;
comment on function facturation._portail_factures is 'Factures d''un client, annulées comprises.';

call client.liste_du_portail(
  'facturation.portail_factures', 'facturation.portail_facture', 'v.date desc, v.id_facture desc', 100);
comment on function facturation.portail_factures is
  'Factures du client connecté, de la plus récente à la plus ancienne, annulées comprises.';
