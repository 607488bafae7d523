create type residence.courrier as (
  email text, nom text, numero_contrat text, logement text, batiment text, date_debut date, date_fin_prevue date,
  montant_loyer core.montant, type_location residence.type_location, devise text, organisation text);
comment on type residence.courrier is 'À qui écrire au sujet d''un contrat, et quoi.';
comment on column residence.courrier.email is 'Null si le client n''a pas d''adresse.';

create function residence.contrat_courrier(p_id_contrat bigint) returns residence.courrier
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((
  select row(k.email, k.prenoms || ' ' || k.nom, c.numero_contrat, l.numero, b.nom, c.date_debut, c.date_fin_prevue,
             c.montant_loyer, c.type_location, core.parametre('DEVISE_DEFAUT'),
             core.parametre('NOM_ORGANISATION'))::residence.courrier
    from residence.contrat_location_vue c
    join client.client k on k.id_client = c.id_client
    join residence.logement l on l.id_logement = c.id_logement
    join residence.batiment b on b.id_batiment = l.id_batiment
   where c.id_contrat = p_id_contrat));
comment on function residence.contrat_courrier is
  'Envoie au client, par e-mail, l''essentiel de son contrat ; « envoye » est faux s''il n''a pas d''adresse ou si l''envoi échoue.';
