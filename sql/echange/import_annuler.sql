-- A row to which another one refers refuses the whole. Rows that the database never deletes are undone by their own
-- operation. Codes and references are freed for the corrected sheet.

create function echange._suivi(p_message text) returns void
language sql volatile
return core.refuser(409, 'LIGNE_SUIVIE', p_message);
comment on function echange._suivi is 'Refuse LIGNE_SUIVIE : quelque chose a suivi ce qu''une ligne a créé.';

create function echange._stock_defaire(p_id_mouvement bigint, p_id_import bigint) returns void
language plpgsql volatile as $$
declare
  v market.mouvement_stock;
begin
  select * into strict v from market.mouvement_stock m where m.id_mouvement = p_id_mouvement;
  perform market._produits_verrouiller(array[v.id_produit]);
  if exists (select from market.mouvement_stock m
              where m.id_produit = v.id_produit and m.id_mouvement > p_id_mouvement) then
    perform echange._suivi('Le stock de ce produit a bougé depuis.');
  end if;
  perform market._entree_defaire(p_id_mouvement, format('Import %s annulé', p_id_import));
end $$;
comment on function echange._stock_defaire is 'Défait une entrée de stock par une sortie. Refuse LIGNE_SUIVIE.';

create function echange._produit_defaire(p_id_produit bigint, p_id_import bigint) returns void
language plpgsql volatile as $$
declare
  v_mouvements bigint[] := array(
    select m.id_mouvement from market.mouvement_stock m where m.id_produit = p_id_produit order by m.id_mouvement);
begin
  if cardinality(v_mouvements) = 0 then
    delete from market.produit p where p.id_produit = p_id_produit;
  elsif cardinality(v_mouvements) > 1 then
    perform echange._suivi('Le stock de ce produit a bougé depuis.');
  else
    perform echange._stock_defaire(v_mouvements[1], p_id_import);
    update market.produit p
       set (actif, reference, code_barre) = row(false, format('%s (import %s annulé)', p.reference, p_id_import), null)
     where p.id_produit = p_id_produit;
  end if;
end $$;
comment on function echange._produit_defaire is
  'Efface un produit sans mouvement ; sort le stock de celui qui n''a que son stock initial, et le désactive. Refuse LIGNE_SUIVIE.';

create function echange._contrat_defaire(p_id_contrat bigint, p_id_import bigint) returns void
language plpgsql volatile as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_motif core.texte := format('Import %s annulé', p_id_import);
begin
  if exists (select from residence.echeance e
               join facturation.facture f
                 on f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee
              where e.id_contrat = p_id_contrat)
     or exists (select from residence.caution c where c.id_contrat = p_id_contrat)
     or exists (select from residence.revision_loyer r where r.id_contrat = p_id_contrat)
     or exists (select from residence.etat_des_lieux d where d.id_contrat = p_id_contrat) then
    perform echange._suivi('Ce bail a une facture, une caution, une révision ou un état des lieux.');
  elsif v.statut = 'EN_ATTENTE' then
    perform residence.contrat_annuler(p_id_contrat, v_motif);
  else
    perform residence.contrat_resilier(p_id_contrat, v.date_debut, v_motif);
    -- The first day is not owed either, and the room needs no cleaning.
    perform residence._echeances_arreter(p_id_contrat, v.date_debut - 1);
    update residence.logement l set statut = 'DISPONIBLE'
     where l.id_logement = v.id_logement and l.statut = 'EN_NETTOYAGE';
  end if;
end $$;
comment on function echange._contrat_defaire is
  'Résilie un bail le jour de son début : rien n''en est dû, son logement est libre. Refuse LIGNE_SUIVIE.';

create function echange._defaire(p_entite echange.entite, p_id_entite bigint, p_id_import bigint) returns void
language plpgsql volatile as $$
begin
  case p_entite
  when 'clients' then delete from client.client c where c.id_client = p_id_entite;
  when 'produits' then perform echange._produit_defaire(p_id_entite, p_id_import);
  when 'stock' then perform echange._stock_defaire(p_id_entite, p_id_import);
  when 'fournisseurs' then delete from market.fournisseur f where f.id_fournisseur = p_id_entite;
  when 'batiments' then perform residence.batiment_supprimer(p_id_entite);
  when 'logements' then delete from residence.logement l where l.id_logement = p_id_entite;
  when 'contrats' then perform echange._contrat_defaire(p_id_entite, p_id_import);
  when 'employes' then
    if exists (select from rh.pointage p where p.id_employe = p_id_entite)
       or exists (select from rh.paie p where p.id_employe = p_id_entite)
       or exists (select from rh.employe e where e.id_employe = p_id_entite and e.id_utilisateur is not null) then
      perform echange._suivi('Cet employé a un pointage, un bulletin ou un compte.');
    end if;
    update rh.employe e
       set (statut, code) = row('INACTIF'::rh.statut_employe, format('%s (import %s annulé)', e.code, p_id_import))
     where e.id_employe = p_id_entite;
  when 'plats' then delete from restaurant.plat p where p.id_plat = p_id_entite;
  when 'prestations' then
    if exists (select from facturation.facture f where f.source_type = 'PRESTATION' and f.source_id = p_id_entite) then
      perform echange._suivi('Cette prestation a été facturée.');
    end if;
    delete from facturation.prestation p where p.id_prestation = p_id_entite;
  when 'factures' then
    if exists (select from finances.imputation_vue a where a.id_facture = p_id_entite) then
      perform echange._suivi('Cette facture a reçu un paiement.');
    end if;
    perform facturation.facture_annuler(p_id_entite, format('Import %s annulé', p_id_import));
  end case;
end $$;
comment on function echange._defaire is 'Défait ce qu''une ligne a créé. Refuse LIGNE_SUIVIE.';

create function echange._lignes_defaire(p_import echange.import) returns jsonb
language plpgsql volatile as $$
declare
  v_ligne record;
  v_suivies jsonb := jsonb_build_array();
  v_etat text;
  v_message text;
begin
  for v_ligne in
    select l.ligne, l.id_entite from echange.ligne l
     where l.id_import = (p_import).id_import and l.issue = 'FAITE' order by l.ligne desc
  loop
    begin
      perform echange._defaire((p_import).entite, v_ligne.id_entite, (p_import).id_import);
      set constraints all immediate;
      set constraints all deferred;
    exception when sqlstate 'HT000' or integrity_constraint_violation or no_data_found then
      get stacked diagnostics v_etat = returned_sqlstate, v_message = message_text;
      v_suivies := jsonb_build_array(jsonb_build_object('ligne', v_ligne.ligne, 'message', case
        when v_etat like 'HT%' then v_message else 'Quelque chose s''y rattache déjà.' end)) || v_suivies;
    end;
    -- The first hundred say enough.
    exit when jsonb_array_length(v_suivies) >= 100;
  end loop;
  return v_suivies;
end $$;
comment on function echange._lignes_defaire is
  'Défait les lignes d''un import, la dernière d''abord ; rend celles que quelque chose a suivies.';
-- The function catches the refusals of a row.
call core.ne_refuse_pas('echange._lignes_defaire', '*');

create function echange.import_annuler(p_id_import bigint) returns echange.import_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import := echange._import_verrouiller(p_id_import);
  v_suivies jsonb;
begin
  perform echange._exiger(v.entite);
  if v.etat = 'ANNULE' then
    perform core.refuser(409, 'IMPORT_ANNULE', 'Cet import est déjà annulé.');
  elsif v.etat = 'EN_COURS' then
    perform core.refuser(409, 'IMPORT_EN_COURS', 'Cet import n''est pas fini : attendez sa fin.');
  elsif v.etat in ('FAIT', 'ECHEC') and core.jour(coalesce(v.date_fin, v.date_creation)) <> core.aujourdhui() then
    perform core.refuser(409, 'IMPORT_CLOS', 'Un import ne s''annule que le jour où il est fait.');
  end if;
  v_suivies := echange._lignes_defaire(v);
  if v_suivies <> '[]' then
    perform core.refuser(409, 'IMPORT_SUIVI', 'Des lignes de cet import ont servi depuis : rien n''est annulé.',
                         jsonb_build_object('lignes', v_suivies));
  end if;
  update echange.ligne l set issue = 'ANNULEE' where l.id_import = p_id_import and l.issue = 'FAITE';
  update echange.import i set (etat, date_fin) = row('ANNULE'::echange.etat_import, now())
   where i.id_import = p_id_import;
  return echange.import_detail(p_id_import);
end $$;
comment on function echange.import_annuler is
  'Défait un import le jour où il est fait, tant que rien n''a suivi aucune de ses lignes ; abandonne celui qui n''est pas fait. Ce que la base n''efface jamais est défait par sa propre opération : bail résilié, facture annulée, stock sorti, employé inactif.';
