create function residence._jours(p_annee integer, p_mois integer) returns daterange
language sql immutable parallel safe
return case when (p_annee between 1900 and 2200) is not true then null
            when p_mois between 1 and 12
            then daterange(make_date(p_annee, p_mois, 1), (make_date(p_annee, p_mois, 1) + interval '1 month')::date)
            else daterange(make_date(p_annee, 1, 1), make_date(p_annee + 1, 1, 1)) end;
comment on function residence._jours is 'Jours d''un mois, ou d''une année sans mois ; null sans année.';

-- The texts are replaced with leases, the month and year with days, and the unpaid state with the condition of the
-- index: the plan can then use all three conditions. The order has the expressions of the index echeance_suivi.
call core.liste('residence.suivi_lister', 'residence.suivi_vue',
  '(v.montant_paye >= v.montant), (case when v.montant_paye < v.montant then v.date_echeance - date ''2000-01-01'''
  ' else date ''2000-01-01'' - v.date_echeance end), v.id_echeance',
  'recherche := residence._contrats_rechercher(p_recherche, p_numero_contrat, p_client, p_logement, p_batiment):
    v.id_contrat = any ($)',
  'numero_contrat: true', 'client: true', 'logement: true', 'batiment: true', 'mois integer', 'annee integer',
  'montant', 'du := greatest($, lower(residence._jours(p_annee, p_mois))): date_echeance',
  'au := least($, upper(residence._jours(p_annee, p_mois)) - 1): date_echeance',
  'statut residence.statut_echeance:
    v.statut = $ and ($ not in (''IMPAYE'', ''PARTIEL'') or v.montant_paye < v.montant)',
  'id_utilisateur_encaisseur');
comment on function residence.suivi_lister is
  'Suivi des loyers : le dû d''abord, le plus ancien en tête, puis le payé, le plus récent en tête. La recherche porte sur le contrat, le client et le logement ; « batiment » est son code ou son nom ; « du » et « au » bornent l''échéance, jours compris.';
