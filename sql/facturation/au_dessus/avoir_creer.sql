-- Locks, in this order: the sale, its products by id (their movements are written in that order), the invoice, the
-- counter of the numbers, the payments by id, the till (shared), the client.

create type facturation.remboursement_entree as (id_moyen bigint, reference core.libelle, id_caisse bigint);
comment on type facturation.remboursement_entree is 'Comment rendre ce qui est payé de trop.';
comment on column facturation.remboursement_entree.id_caisse is 'Caisse d''où l''argent part, pour qui n''est lié à aucune.';
call core.peut_etre_null('facturation.remboursement_entree', 'reference', 'id_caisse');

create type facturation.avoir_fait as (
  avoir facturation.avoir_detail_vue, facture facturation.facture_vue, id_paiement bigint, paiements bigint[]);
comment on type facturation.avoir_fait is 'Avoir, et sa facture après lui.';
comment on column facturation.avoir_fait.id_paiement is 'Paiement contraire, le dernier s''il y en a plusieurs ; null si rien n''est rendu.';
comment on column facturation.avoir_fait.paiements is 'Paiements contraires : un par paiement rendu.';
call core.peut_etre_null('facturation.avoir_fait', 'id_paiement');

create function facturation.avoir_creer(
  p_id_facture bigint, p_lignes facturation.ligne_a_crediter[], p_motif core.texte,
  p_remboursement facturation.remboursement_entree default null)
returns facturation.avoir_fait
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_avoir bigint := nextval('facturation.avoir_id_avoir_seq');
  v_rembourse boolean := (p_remboursement).id_moyen is not null
                         and not finances._est_credit((p_remboursement).id_moyen);
  v facturation.avoir_fait;
begin
  perform facturation.facture_detail(p_id_facture);
  perform market._vente_articles_rentrer(p_id_facture, p_lignes);
  perform facturation._facture_a_crediter(p_id_facture);
  perform facturation._avoir_lignes_ecrire(v_id_avoir, p_id_facture, p_lignes);
  perform facturation._avoir_emettre(v_id_avoir, p_id_facture, p_motif, v_rembourse);
  v.avoir := facturation.avoir_detail(v_id_avoir);
  v.paiements := case when v_rembourse then finances._facture_rembourser(
    p_id_facture, (v.avoir).montant_excedent, p_motif, coalesce((p_remboursement).reference, (v.avoir).numero),
    (p_remboursement).id_moyen, (p_remboursement).id_caisse) else '{}' end;
  v.id_paiement := v.paiements[cardinality(v.paiements)];
  select f into strict v.facture from facturation.facture_vue f where f.id_facture = p_id_facture;
  return v;
end $$;
comment on function facturation.avoir_creer is
  'Crédite des lignes d''une facture, d''une quantité ou d''un montant. Ce qui était payé de trop est rendu en entier par le moyen du remboursement ; sans remboursement, il devient le crédit du client. Les articles des lignes qui le demandent rentrent en stock.';
-- The credit note never repays its excess from the credit of the client.
call core.ne_refuse_pas('facturation.avoir_creer', 'CREDIT_SANS_CLIENT');

create function facturation._avoir_lignes_ecrire(
  p_id_avoir bigint, p_id_facture bigint, p_lignes facturation.ligne_a_crediter[]) returns void
language plpgsql volatile as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'AVOIR_SANS_LIGNE', 'Un avoir compte au moins une ligne.');
  elsif exists (select from unnest(p_lignes) l where num_nonnulls(l.quantite, l.montant) <> 1) then
    perform core.refuser(400, 'QUANTITE_OU_MONTANT',
      'Une ligne se crédite d''une quantité ou d''un montant, l''un ou l''autre.');
  elsif exists (select from unnest(p_lignes) l
                 where l.id_ligne not in (select x.id_ligne from facturation._lignes_creditables(p_id_facture) x)) then
    perform core.refuser(400, 'LIGNE_D_UNE_AUTRE_FACTURE', 'Cette ligne est celle d''une autre facture.');
  end if;
  for v in
    select l.id_ligne, l.quantite, coalesce(l.retour_stock, false) as retour_stock, c.quantite as facturee,
           c.quantite_creditee, c.montant as creditable,
           coalesce(l.montant, facturation._part_creditee(c.montant, c.quantite, c.quantite_creditee + l.quantite)
                               - facturation._part_creditee(c.montant, c.quantite, c.quantite_creditee)) as montant
      from unnest(p_lignes) l
      join facturation._lignes_creditables(p_id_facture) c on c.id_ligne = l.id_ligne
     order by l.id_ligne
  loop
    if v.montant = 0 then
      if v.quantite_creditee + v.quantite > v.facturee then
        perform facturation._avoir_excessif(v.id_ligne, v.facturee, v.creditable);
      end if;
      perform core.refuser(400, 'AVOIR_NUL',
        'Cette quantité ne vaut rien, une fois arrondie : créditez-en davantage, ou un montant.',
        jsonb_build_object('id_ligne', v.id_ligne::text, 'quantite', v.quantite::text));
    end if;
    insert into facturation.avoir_ligne (id_avoir, id_ligne, quantite, montant, retour_stock)
    values (p_id_avoir, v.id_ligne, v.quantite, v.montant, v.retour_stock);
  end loop;
end $$;
comment on function facturation._avoir_lignes_ecrire is
  'Écrit les lignes d''un avoir ; une quantité vaut sa part de ce que la ligne a fait payer. Refuse AVOIR_SANS_LIGNE, QUANTITE_OU_MONTANT, LIGNE_D_UNE_AUTRE_FACTURE, AVOIR_EXCESSIF, AVOIR_NUL.';
-- The lines come from the request.
call core.peut_refuser('facturation._avoir_lignes_ecrire', 'LIGNE_AVOIR_REPETEE');
