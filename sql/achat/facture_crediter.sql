-- Locks: see _facture.sql.

create function achat.facture_crediter(
  p_id_achat bigint, p_lignes achat.ligne_a_rendre[] default null, p_motif core.texte default null,
  p_numero_fournisseur core.libelle default null, p_date date default null)
returns achat.achat_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v achat.facture := achat._facture_verrouiller(p_id_achat);
  v_date constant date := coalesce(p_date, core.aujourdhui());
  v_id_avoir bigint;
  v_total numeric;
begin
  perform achat._facture_guichet(p_id_achat, 'SUPPRIMER');
  perform market._produits_verrouiller(array(
    select l.id_produit from achat.facture_ligne l where l.id_achat = p_id_achat));
  perform achat._avoir_verifier(v, nullif(p_lignes, '{}'), v_date);
  insert into achat.avoir as a (numero, id_achat, numero_fournisseur, date, jour, motif, montant_ht, montant_taxe)
  select core._numeroter('AVA', core._annee_du_numero()), p_id_achat, p_numero_fournisseur, v_date,
         case when count(l.quantite) > 0 then core.aujourdhui() else greatest(achat._jour(v_date), v.jour) end,
         p_motif, sum(l.montant), sum(l.taxe)
    from achat._lignes_a_crediter(p_id_achat, nullif(p_lignes, '{}')) l
  returning a.id_avoir, a.montant_total into v_id_avoir, v_total;
  perform achat._marchandises_rendre(v, v_id_avoir, nullif(p_lignes, '{}'));
  perform achat._solder(p_id_achat, 0, v_total);
  perform achat._taxe_deduire(p_id_achat, null, v_id_avoir);
  return achat.facture_detail(p_id_achat);
end $$;
comment on function achat.facture_crediter is
  'Écrit l''avoir d''un fournisseur, en entier ou pour des lignes : les marchandises repartent au coût auquel elles étaient entrées, ou restent et coûtent moins de leur rabais. Une facture créditée en entier est annulée ; ce qui en était payé devient dû par le fournisseur.';
-- The cost of what goes out is given. The bill is valid, and its amounts stay.
call core.ne_refuse_pas('achat.facture_crediter', 'COUT_D_UN_ACHAT', 'TRANSITION_INTERDITE');
-- The lines come from the request.
call core.peut_refuser('achat.facture_crediter', 'LIGNE_D_AVOIR_REPETEE');
