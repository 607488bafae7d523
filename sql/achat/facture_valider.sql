-- Locks: see _facture.sql.

-- Without a deduction, the tax of goods is a part of their cost.
create function achat._cout(p_ligne achat.facture_ligne, p_deduction achat.deduction) returns numeric
language sql immutable parallel safe
return (p_ligne).net + case p_deduction when 'AUCUNE' then (p_ligne).montant_taxe else 0 end;
comment on function achat._cout is 'Ce que coûte une ligne.';

create function achat._marchandises_entrer(p_facture achat.facture) returns date
language plpgsql volatile as $$
declare
  v achat.facture_ligne;
  v_cout numeric;
  v_jour date;
begin
  perform market._produits_verrouiller(array(
    select l.id_produit from achat.facture_ligne l where l.id_achat = (p_facture).id_achat));
  v_jour := achat._jour((p_facture).date);
  for v in select * from achat.facture_ligne l
            where l.id_achat = (p_facture).id_achat and l.id_produit is not null order by l.id_produit, l.id_ligne
  loop
    v_cout := achat._cout(v, (p_facture).deduction);
    if v.id_reception is not null then
      v := achat._reception_facturer(v, (p_facture).id_fournisseur, v_cout, v_jour);
    else
      insert into market.mouvement_stock as m (id_produit, type, quantite, valeur, motif, document_ref, jour)
      values (v.id_produit, 'ENTREE', v.quantite, v_cout, 'Achat', (p_facture).numero_fournisseur, v_jour)
      returning m.id_mouvement into v.id_mouvement;
    end if;
    update achat.facture_ligne l set id_mouvement = v.id_mouvement, montant_attendu = v.montant_attendu
     where l.id_ligne = v.id_ligne;
  end loop;
  return v_jour;
end $$;
comment on function achat._marchandises_entrer is 'Fait entrer les marchandises d''une facture à leur coût, frais et remise compris, et rend sa date de gestion.';

create function achat.facture_valider(p_id_achat bigint) returns achat.achat_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v achat.facture := achat._facture_verrouiller(p_id_achat);
  v_jour date;
begin
  perform achat._brouillon_exiger(v);
  perform achat._facture_guichet(p_id_achat, 'CREER');
  v_jour := achat._marchandises_entrer(v);
  update achat.facture f
     set statut = 'VALIDEE', jour = v_jour,
         numero = core._numeroter('ACH', core._annee_du_numero())
   where f.id_achat = p_id_achat;
  perform achat._taxe_deduire(p_id_achat, null, null);
  return achat.facture_detail(p_id_achat);
end $$;
comment on function achat.facture_valider is
  'Valide un brouillon : il prend son numéro, ses marchandises entrent en stock à leur coût, et son montant est dû. Une date d''un mois clôturé compte aujourd''hui.';
-- The entries have no cost below zero. The row is a draft.
call core.ne_refuse_pas('achat.facture_valider', 'STOCK_INSUFFISANT', 'TRANSITION_INTERDITE', 'ACHAT_FIGE',
  'COUT_D_UN_ACHAT');
