-- Locks, in this order: the products by id, the lines of the reception.

create function achat.reception_annuler(p_id_reception bigint) returns achat.reception_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v achat.reception_detail_vue := achat.reception_detail(p_id_reception);
  v_ligne achat.reception_ligne;
  v_id_contraire bigint;
begin
  perform market._produits_verrouiller(array(select (l).id_produit from unnest(v.lignes) l));
  perform from achat.reception_ligne l where l.id_reception = p_id_reception order by l.id_ligne for no key update;
  if v.id_reception_origine is not null then
    perform core.refuser(409, 'RECEPTION_ANNULEE', 'Cette réception en annule une autre : elle ne s''annule pas.');
  elsif exists (select from achat.reception_ligne l
                 where l.id_reception = p_id_reception and l.quantite_facturee > 0) then
    perform core.refuser(409, 'RECEPTION_DEJA_FACTUREE',
      'Cette réception est facturée : ses marchandises repartent par un avoir.');
  end if;
  insert into achat.reception as r (id_fournisseur, date, document_ref, id_reception_origine)
  values (v.id_fournisseur, core.aujourdhui(), v.document_ref, p_id_reception)
  returning r.id_reception into v_id_contraire;
  for v_ligne in select * from achat.reception_ligne l where l.id_reception = p_id_reception order by l.id_produit loop
    insert into market.mouvement_stock as m (id_produit, type, quantite, valeur, id_mouvement_origine, motif)
    values (v_ligne.id_produit, 'SORTIE', v_ligne.quantite, -v_ligne.montant, v_ligne.id_mouvement,
            format('Réception %s annulée', p_id_reception))
    returning m.id_mouvement into v_ligne.id_mouvement;
    insert into achat.reception_ligne (id_reception, id_produit, quantite, cout_unitaire, montant, id_mouvement)
    values (v_id_contraire, v_ligne.id_produit, v_ligne.quantite, v_ligne.cout_unitaire, v_ligne.montant,
            v_ligne.id_mouvement);
  end loop;
  return achat.reception_detail(p_id_reception);
end $$;
comment on function achat.reception_annuler is
  'Annule une réception qui n''est pas facturée, une seule fois : une réception contraire d''aujourd''hui fait repartir ses marchandises au coût auquel elles étaient entrées.';
call core.ne_refuse_pas('achat.reception_annuler', 'COUT_D_UN_ACHAT', 'DATE_FUTURE', 'PERIODE_CLOTUREE');
