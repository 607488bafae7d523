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
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrat residence.contrat_location;
  v residence.document_contrat;
begin
  select c.* into strict v_contrat
    from residence.contrat_location c where c.id_contrat = (residence.contrat_detail(p_id_contrat)).id_contrat;
  v.fichier := 'contrat-' || v_contrat.numero_contrat;
  v.organisation := core._organisation();
  v.numero := v_contrat.numero_contrat;
  v.statut := v_contrat.statut;
  v.type_location := v_contrat.type_location;
  v.periodicite := v_contrat.periodicite;
  v.duree_mois := v_contrat.duree_mois;
  v.date_debut := v_contrat.date_debut;
  v.date_fin := v_contrat.date_fin_prevue;
  v.date_signature := v_contrat.date_signature;
  v.date_resiliation := v_contrat.date_resiliation;
  v.loyer := v_contrat.loyer_initial;
  v.locataire := residence._document_locataire(v_contrat.id_client);
  v.piece := residence._document_piece(v_contrat.id_client);
  v.logement := residence._document_logement(v_contrat.id_logement);
  v.caution := (select row(c.montant, c.date_versement)::residence.document_caution
                  from residence.caution c where c.id_contrat = p_id_contrat);
  v.revisions := array(select row(r.date_effet, r.nouveau_montant)::residence.document_revision
                         from residence.revision_loyer r
                        where r.id_contrat = p_id_contrat order by r.date_effet, r.id_revision);
  return v;
end $$;
comment on function residence.contrat_document is 'Contrat de location en PDF.';

create function residence._document_locataire(p_id_client bigint) returns residence.document_locataire
language sql stable
return (select row(k.code, concat_ws(' ', k.prenoms, k.nom), k.tel_principal, k.email, k.adresse, k.ville, k.pays,
                   k.date_naissance, k.lieu_naissance, k.nationalite, k.profession)::residence.document_locataire
          from client.client k where k.id_client = p_id_client);
comment on function residence._document_locataire is 'Locataire d''un contrat à imprimer.';

create function residence._document_piece(p_id_client bigint) returns residence.document_piece
language sql stable
return (select row(p.type_piece, p.numero, p.date_delivrance, p.date_expiration,
                   p.autorite_delivrance)::residence.document_piece
          from client.piece_identite p where p.id_client = p_id_client
         order by coalesce(p.date_expiration >= core.aujourdhui(), true) desc, p.id_piece desc limit 1);
comment on function residence._document_piece is 'Pièce d''identité à imprimer, null sans pièce.';

create function residence._document_logement(p_id_logement bigint) returns residence.document_logement
language sql stable
return (select row(l.numero, l.nom, l.type, l.equipements, l.etat, concat_ws(' – ', b.code, b.nom),
                   b.adresse)::residence.document_logement
          from residence.logement l join residence.batiment b on b.id_batiment = l.id_batiment
         where l.id_logement = p_id_logement);
comment on function residence._document_logement is 'Logement d''un contrat à imprimer.';
