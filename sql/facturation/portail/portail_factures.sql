create type facturation.portail_facture as (
  id_facture bigint, numero text, date timestamptz, activite text, libelle text, remise core.montant,
  montant_total core.montant, montant_paye core.montant, reste core.montant_signe, statut facturation.statut_facture);
comment on type facturation.portail_facture is 'Facture du client connecté.';
comment on column facturation.portail_facture.activite is 'Activité qui l''a émise.';
call core.peut_etre_null('facturation.portail_facture', 'activite', 'libelle');

create function facturation.portail_factures(p_limit core.limite default 100, p_offset core.decalage default 0)
returns setof facturation.portail_facture
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
begin
  perform core._total((select count(*) from facturation.facture f where f.id_client = v_id_client), 2000);
  return query
    select f.id_facture, f.numero::text, f.date, a.libelle::text, f.libelle::text, f.remise::core.montant,
           f.montant_total::core.montant, f.montant_paye::core.montant,
           f.reste::core.montant_signe, f.statut
      from facturation.facture f
      join core.activite a on a.id_activite = f.id_activite
     where f.id_client = v_id_client
     order by f.date desc, f.id_facture desc
     limit p_limit offset p_offset;
end $$;
comment on function facturation.portail_factures(core.limite, core.decalage) is
  'Factures du client connecté, de la plus récente à la plus ancienne, annulées comprises.';
call core.peut_refuser('facturation.portail_factures', 'SANS_CLIENT', 'ADRESSE_A_CONFIRMER');
