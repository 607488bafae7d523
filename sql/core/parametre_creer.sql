create function core.parametre_creer(
  p_cle core.cle_parametre, p_valeur core.texte, p_description core.texte default null)
returns core.parametre_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into core.parametre (cle, valeur, description) values (p_cle, p_valeur, p_description);
  return core.parametre_detail(p_cle);
end $$;
comment on function core.parametre_creer is 'Crée un paramètre.';
call core.peut_refuser('core.parametre_creer', 'PARAMETRE_EXISTANT', 'FUSEAU_HORAIRE_INCONNU',
  'CODE_ORGANISATION_INVALIDE', 'SEUIL_PAIEMENT_INVALIDE', 'SAUVEGARDE_RETENTION_INVALIDE',
  'DEVISE_DECIMALES_INVALIDE', 'DEVISE_FIXE', 'FUSEAU_FIXE', 'MONTANT_MAXIMAL_INVALIDE', 'OUVERTURE_AUTOMATIQUE_INVALIDE', 'VITRINE_INVALIDE',
  'TAXES_PRIX_INVALIDE', 'TAXES_ARRONDI_INVALIDE', 'TAXES_DUES_INVALIDE', 'NUMERO_CONTRIBUABLE_MOTIF_INVALIDE',
  'NUMERO_CONTRIBUABLE_INVALIDE', 'SCEAU_ABONNES_INVALIDE', 'RETENTION_LEGALE_INVALIDE');
