create type residence.document_locataire as (
  code text, nom text, telephone text, email text, adresse text, ville text, pays text, date_naissance date,
  lieu_naissance text, nationalite text, profession text);
comment on type residence.document_locataire is 'Locataire d''un contrat à imprimer.';
comment on column residence.document_locataire.nom is 'Prénoms et nom.';
create type residence.document_piece as (
  type client.type_piece, numero text, date_delivrance date, date_expiration date, autorite text);
comment on type residence.document_piece is 'Pièce d''identité du locataire.';
create type residence.document_logement as (
  numero text, nom text, type residence.type_logement, equipements text, etat text, batiment text, adresse text);
comment on type residence.document_logement is 'Logement d''un contrat à imprimer.';
create type residence.document_caution as (montant core.montant, date_versement date);
comment on type residence.document_caution is 'Caution d''un contrat à imprimer.';
comment on column residence.document_caution.date_versement is 'Null tant qu''elle n''est pas versée.';
create type residence.document_revision as (date_effet date, montant core.montant);
comment on type residence.document_revision is 'Loyer convenu après la signature.';

create type residence.document_contrat as (
  fichier text, organisation core.organisation, numero text, statut residence.statut_contrat,
  type_location residence.type_location, periodicite text, duree_mois integer, date_debut date, date_fin date,
  date_signature date, date_resiliation date, loyer core.montant, locataire residence.document_locataire,
  piece residence.document_piece, logement residence.document_logement, caution residence.document_caution,
  revisions residence.document_revision[]);
comment on type residence.document_contrat is 'Tout ce qu''imprime un contrat de location.';
comment on column residence.document_contrat.date_fin is 'Dernier jour, null sans terme.';
comment on column residence.document_contrat.loyer is 'Loyer signé, du mois ou de l''année selon type_location.';
comment on column residence.document_contrat.piece is 'Pièce en cours de validité, sinon la dernière enregistrée ; null sans pièce.';
comment on column residence.document_contrat.caution is 'Null sans caution.';

create function residence.contrat_document(p_id_contrat bigint) returns residence.document_contrat
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((
  select row('contrat-' || c.numero_contrat, core._organisation(), c.numero_contrat, c.statut, c.type_location,
             c.periodicite, c.duree_mois, c.date_debut, c.date_fin_prevue, c.date_signature, c.date_resiliation,
             c.loyer_initial,
             row(k.code, concat_ws(' ', k.prenoms, k.nom), k.tel_principal, k.email, k.adresse, k.ville, k.pays,
                 k.date_naissance, k.lieu_naissance, k.nationalite, k.profession)::residence.document_locataire,
             (select row(p.type_piece, p.numero, p.date_delivrance, p.date_expiration,
                         p.autorite_delivrance)::residence.document_piece
                from client.piece_identite p where p.id_client = c.id_client
               order by coalesce(p.date_expiration >= core.aujourdhui(), true) desc, p.id_piece desc limit 1),
             row(l.numero, l.nom, l.type, l.equipements, l.etat, concat_ws(' – ', b.code, b.nom),
                 b.adresse)::residence.document_logement,
             (select row(x.montant, x.date_versement)::residence.document_caution
                from residence.caution x where x.id_contrat = c.id_contrat),
             array(select row(r.date_effet, r.nouveau_montant)::residence.document_revision
                     from residence.revision_loyer r
                    where r.id_contrat = c.id_contrat order by r.date_effet, r.id_revision))
         ::residence.document_contrat
    from residence.contrat_location c
    join client.client k on k.id_client = c.id_client
    join residence.logement l on l.id_logement = c.id_logement
    join residence.batiment b on b.id_batiment = l.id_batiment
   where c.id_contrat = p_id_contrat and residence._visible()));
comment on function residence.contrat_document is 'Contrat de location en PDF.';
