-- Row-level security on every table from which the portal shows something of one client. The policies name roles, so
-- dropping the code takes them away as it does grants: they are in sql/politiques.sql. Without one, nothing is seen.
-- depends: 0010.residence-logements 0011.residence-sejours

alter table client.client enable row level security;
alter table residence.contrat_location enable row level security;
alter table residence.revision_loyer enable row level security;
alter table residence.echeance enable row level security;
alter table residence.caution enable row level security;
alter table residence.caution_evenement enable row level security;
alter table residence.etat_des_lieux enable row level security;
alter table facturation.facture enable row level security;
alter table facturation.facture_ligne enable row level security;
alter table finances.application_paiement enable row level security;
alter table finances.paiement enable row level security;
