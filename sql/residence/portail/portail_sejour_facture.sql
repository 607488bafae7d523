create type residence.portail_facture_ligne as (
  id_ligne bigint, libelle text, quantite core.nombre, prix_unitaire core.montant, total core.montant);
comment on type residence.portail_facture_ligne is 'Ligne de la facture d''un séjour.';
create type residence.portail_sejour_facture as (
  id_facture bigint, numero text, date timestamptz, remise core.montant, montant_total core.montant,
  montant_paye core.montant, reste core.montant_signe, statut facturation.statut_facture,
  lignes residence.portail_facture_ligne[]);
comment on type residence.portail_sejour_facture is 'Facture d''un séjour du client connecté.';

create function residence.portail_sejour_facture(p_id_sejour bigint) returns residence.portail_sejour_facture
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((
    select row(f.id_facture, f.numero, f.date, f.remise, f.montant_total, f.montant_paye, f.reste, f.statut,
               array(select row(l.id_ligne, l.libelle, trim_scale(l.quantite), l.prix_unitaire,
                                l.total)::residence.portail_facture_ligne
                       from facturation.facture_ligne l where l.id_facture = f.id_facture order by l.id_ligne))
           ::residence.portail_sejour_facture
      from residence.sejour_court s
      join facturation.facture f on f.source_type = 'SEJOUR' and f.source_id = s.id_sejour
     where s.id_sejour = p_id_sejour and s.id_client = v_id_client and f.id_client = v_id_client
     order by f.id_facture desc limit 1));
end $$;
comment on function residence.portail_sejour_facture is
  'Facture d''un séjour du client connecté ; il n''y en a pas avant le premier paiement.';
