-- The settlement records every payment of an order. One invoice serves from the advance to the balance.
-- Locks, in this order: the order, then the locks of the settlement.

create type pressing.commande_reglement as (
  commande pressing.commande_detail_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type pressing.commande_reglement is 'Commande et, dès qu''elle est payée en tout ou en partie, sa facture.';
comment on column pressing.commande_reglement.facture is 'Null tant que rien n''est payé.';
comment on column pressing.commande_reglement.numero is 'Numéro de la facture.';
comment on column pressing.commande_reglement.id_paiement is 'Paiement de cette opération, null si elle n''encaisse rien.';
call core.peut_etre_null('pressing.commande_reglement', 'facture', 'numero', 'id_paiement');

create function pressing._ligne_facturer(p_ligne pressing.commande_ligne) returns facturation.ligne_a_facturer
language plpgsql stable as $$
declare
  v_libelle text := p_ligne.type_vetement || ' : ' || p_ligne.prestation;
  v_poids text;
  v_code_taxe core.code := (select finances._taxe_vue('PRESTATION', p.id_prestation, p.code_taxe)
                              from pressing.prestation p where p.id_prestation = p_ligne.id_prestation);
begin
  if p_ligne.poids_kg is null then
    return facturation._ligne(left(v_libelle, 200), p_ligne.quantite - p_ligne.couvert, p_ligne.tarif, v_code_taxe);
  end if;
  -- The quantity of an invoice has two decimals, a weight has three. The label shows the weight.
  v_poids := format(', %s kg à %s', core.nombre_ecrire(p_ligne.poids_kg - p_ligne.couvert),
                    core.montant_ecrire(p_ligne.prix_kg));
  return facturation._ligne(left(v_libelle, 200 - length(v_poids)) || v_poids, 1,
                            pressing._ligne_due(p_ligne, p_ligne.couvert), v_code_taxe);
end $$;
comment on function pressing._ligne_facturer is
  'La ligne de facture de ce que des abonnements ne paient pas d''une ligne de commande ; le libellé d''une ligne pesée dit son poids et le prix du kilo.';

create function pressing._commande_regler(p_id_commande bigint, p_montant core.montant, p_id_moyen bigint)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v pressing.commande;
  v_lignes facturation.ligne_a_facturer[] := array(
    select pressing._ligne_facturer(l) from pressing.commande_ligne l
     where l.id_commande = p_id_commande and coalesce(l.poids_kg, l.quantite) > l.couvert order by l.id_ligne);
begin
  if cardinality(v_lignes) = 0 and p_montant = 0 then
    return null;
  elsif cardinality(v_lignes) = 0 then
    perform core.refuser(409, 'SURPAIEMENT', 'Des abonnements paient cette commande : il ne reste rien à payer.');
  end if;
  select * into strict v from pressing.commande c where c.id_commande = p_id_commande;
  return finances._facture_regler(
    p_source_type => 'COMMANDE_PRESSING', p_source_id => v.id_commande,
    p_id_activite => facturation._activite('PRESSING'), p_id_client => v.id_client,
    p_libelle => 'Pressing ' || v.numero_commande,
    p_lignes => v_lignes, p_montant => p_montant, p_id_moyen => p_id_moyen);
end $$;
comment on function pressing._commande_regler is
  'Paie une commande, en tout ou en partie, sur sa facture, émise ici si elle n''existe pas encore ; null si des abonnements la paient en entier. Refuse SURPAIEMENT.';

create function pressing._reponse(p_id_commande bigint, p_reglement facturation.reglement)
returns pressing.commande_reglement
language sql stable
return row(pressing.commande_detail(p_id_commande), finances._solde(p_reglement), p_reglement.numero,
           p_reglement.id_paiement)::pressing.commande_reglement;
comment on function pressing._reponse is 'Réponse d''une opération qui peut encaisser.';
