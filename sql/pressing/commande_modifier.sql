create type pressing.commande_champs as (
  id_client bigint, date_retrait_prevue date, lignes pressing.ligne_entree[],
  mode_tarification pressing.mode_tarification);
comment on type pressing.commande_champs is 'Ce qui se corrige dans une commande avant son traitement ; les lignes données remplacent toutes les autres.';
comment on column pressing.commande_champs.mode_tarification is 'Le mode présent : il se fixe à la dépose.';
call core.peut_etre_null('pressing.commande_champs', 'lignes');

create function pressing.commande_modifier(p_id_commande bigint, p_champs jsonb) returns pressing.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v pressing.commande := pressing._commande_verrouiller(p_id_commande);
begin
  perform core._demande_repondue(v.statut::text);
  v := jsonb_populate_record(v, p_champs);
  update pressing.commande c
     set (id_client, date_retrait_prevue, mode_tarification)
       = row(v.id_client, v.date_retrait_prevue, v.mode_tarification)
   where c.id_commande = p_id_commande;
  if p_champs ? 'lignes' then
    perform pressing._lignes_remplacer(
      p_id_commande, (jsonb_populate_record(null::pressing.commande_champs, p_champs)).lignes);
  end if;
  return pressing.commande_detail(p_id_commande);
end $$;
comment on function pressing.commande_modifier is
  'Corrige une commande tant qu''elle est DEPOSE ; une fois facturée, elle garde ses lignes et son client. Le linge pesé garde le prix du kilo de la dépose.';

create function pressing._lignes_remplacer(p_id_commande bigint, p_lignes pressing.ligne_entree[]) returns void
language plpgsql volatile as $$
declare
  v_prestations jsonb := (
    select jsonb_object_agg(l.prestation, l.id_prestation) from pressing.commande_ligne l
     where l.id_commande = p_id_commande);
  v_prix_kg core.montant := (select max(l.prix_kg) from pressing.commande_ligne l where l.id_commande = p_id_commande);
begin
  -- A form sends every field. Equal lines are therefore no change, even for an order with an invoice.
  if exists (
       select from unnest(p_lignes) with ordinality
              as e (type_vetement, quantite, prestation, tarif, poids_kg, hors_catalogue, rang)
         full join (select o.*, row_number() over (order by o.id_ligne) as rang
                      from pressing.commande_ligne o where o.id_commande = p_id_commande) l using (rang)
        where (e.type_vetement, e.quantite, e.prestation, e.tarif, e.poids_kg)
              is distinct from (l.type_vetement, l.quantite, l.prestation, l.tarif, l.poids_kg)
           or e.hors_catalogue <> l.hors_catalogue) then
    delete from pressing.commande_ligne l where l.id_commande = p_id_commande;
    perform pressing._lignes_ecrire(p_id_commande, p_lignes, v_prix_kg);
    -- A label that the order had keeps its service, which may have another name by now.
    update pressing.commande_ligne l set id_prestation = (v_prestations ->> l.prestation)::bigint
     where l.id_commande = p_id_commande and v_prestations ? l.prestation
       and l.id_prestation is distinct from (v_prestations ->> l.prestation)::bigint;
  end if;
end $$;
comment on function pressing._lignes_remplacer is
  'Remplace les lignes d''une commande si elles diffèrent. Refuse COMMANDE_FACTUREE, COMMANDE_SANS_LIGNE.';
