create type pressing.commande_champs as (
  id_client bigint, date_retrait_prevue date, lignes pressing.ligne_entree[],
  mode_tarification pressing.mode_tarification);
comment on type pressing.commande_champs is 'Ce qui se corrige dans une commande avant son traitement ; les lignes données remplacent toutes les autres.';
call core.null_comme('pressing.commande_champs', 'pressing.commande');
call core.peut_etre_null('pressing.commande_champs', 'lignes', 'mode_tarification');

create function pressing.commande_modifier(p_id_commande bigint, p_champs jsonb) returns pressing.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v pressing.commande := pressing._commande_verrouiller(p_id_commande);
begin
  perform pressing._a_la_piece(c.mode_tarification, c.lignes)
     from jsonb_populate_record(null::pressing.commande_champs, p_champs) c;
  v := jsonb_populate_record(v, p_champs);
  update pressing.commande c set (id_client, date_retrait_prevue) = row(v.id_client, v.date_retrait_prevue)
   where c.id_commande = p_id_commande;
  if p_champs ? 'lignes' then
    perform pressing._lignes_remplacer(
      p_id_commande, (jsonb_populate_record(null::pressing.commande_champs, p_champs)).lignes);
  end if;
  return pressing._commande(p_id_commande);
end $$;
comment on function pressing.commande_modifier(bigint, jsonb) is
  'Corrige une commande tant qu''elle est DEPOSE ; une fois facturée, elle garde ses lignes et son client.';
call core.peut_refuser('pressing.commande_modifier', 'NOT_FOUND', 'COMMANDE_COMMENCEE', 'COMMANDE_FACTUREE',
  'COMMANDE_SANS_LIGNE', 'PRESSING_CLIENT_INCONNU', 'TARIF_AU_POIDS_NON_TENU', 'CATALOGUE_NON_TENU');
-- The function does not write the state.
call core.ne_refuse_pas('pressing.commande_modifier', 'TRANSITION_INTERDITE');

create function pressing._lignes_remplacer(p_id_commande bigint, p_lignes pressing.ligne_entree[]) returns void
language plpgsql volatile as $$
begin
  -- A form sends every field. Equal lines are therefore no change, even for an order with an invoice.
  if array(
       select row(e.type_vetement, e.quantite, e.prestation, e.tarif, null, null)::pressing.ligne_entree
         from unnest(p_lignes) with ordinality
              as e (type_vetement, quantite, prestation, tarif, hors_catalogue, poids_kg, rang) order by e.rang)
     is distinct from array(
       select row(l.type_vetement, l.quantite, l.prestation, l.tarif, null, null)::pressing.ligne_entree
         from pressing.commande_ligne l where l.id_commande = p_id_commande order by l.id_ligne) then
    delete from pressing.commande_ligne l where l.id_commande = p_id_commande;
    perform pressing._lignes_ecrire(p_id_commande, p_lignes);
  end if;
end $$;
comment on function pressing._lignes_remplacer(bigint, pressing.ligne_entree[]) is
  'Remplace les lignes d''une commande si elles diffèrent. Refuse COMMANDE_FACTUREE, COMMANDE_SANS_LIGNE.';
