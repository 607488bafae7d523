call core.liste('residence.contrat_lister', 'residence.contrat_location_vue', 'v.id_contrat desc',
  'recherche: core._contient(v.numero_contrat, $)
    or exists (select from client.client c where c.id_client = v.id_client
                and core._contient(concat_ws('' '', c.nom, c.prenoms, c.nom), $))
    or exists (select from residence.logement l where l.id_logement = v.id_logement
                and core._contient(l.numero, $))',
  'numero_contrat', 'id_client', 'id_logement',
  'statut residence.statut_contrat_nomme:
    v.statut = (case $::text when ''EXPIRE'' then ''TERMINE'' else $::text end)::residence.statut_contrat',
  'type_location', 'periodicite', 'montant_loyer', 'du: date_debut', 'au: date_debut', 'fin_du: date_fin_prevue',
  'fin_au: date_fin_prevue');
comment on function residence.contrat_lister is
  'Liste les contrats, le dernier d''abord. La recherche porte sur le numéro, le client et le logement ; « du » et « au » bornent le début, « fin_du » et « fin_au » la fin prévue, jours compris ; EXPIRE veut dire TERMINE.';
