-- Goods that come before their bill. They enter at their expected cost; the bill writes the difference.
-- Locks, in this order: the bill, the products by id, the lines of the reception.

create view achat.reception_ligne_vue as
select l.id_ligne, l.id_reception, l.id_produit, p.nom as produit, l.quantite, l.cout_unitaire, l.montant,
       l.quantite_facturee, l.id_mouvement
  from achat.reception_ligne l
  join market.produit p on p.id_produit = l.id_produit;
comment on view achat.reception_ligne_vue is 'Produits des réceptions.';
comment on column achat.reception_ligne_vue.produit is 'Nom du produit.';

create view achat.reception_vue as
select r.id_reception, r.id_fournisseur, s.nom::text as fournisseur_nom, r.date, r.document_ref, r.id_utilisateur,
       r.id_reception_origine, c.id_reception as id_reception_contraire,
       (select sum(l.montant) from achat.reception_ligne l
         where l.id_reception = r.id_reception)::core.somme as montant,
       c.id_reception is null and r.id_reception_origine is null and exists (
         select from achat.reception_ligne l
          where l.id_reception = r.id_reception and l.quantite_facturee < l.quantite) as a_facturer
  from achat.reception r
  join market.fournisseur s on s.id_fournisseur = r.id_fournisseur
  left join achat.reception c on c.id_reception_origine = r.id_reception
 where (select market._visible());
comment on view achat.reception_vue is 'Réceptions de marchandises.';
comment on column achat.reception_vue.fournisseur_nom is 'Nom du fournisseur.';
comment on column achat.reception_vue.id_reception_contraire is 'Réception qui annule celle-ci.';
comment on column achat.reception_vue.montant is 'Coût attendu de ses marchandises.';
comment on column achat.reception_vue.a_facturer is 'Vrai tant qu''une facture en est attendue.';
call core.jamais_null('achat.reception_vue', 'fournisseur_nom', 'montant', 'a_facturer');
call core.peut_etre_null('achat.reception_vue', 'id_reception_contraire');

create view achat.reception_detail_vue as
select r.*, array(select l from achat.reception_ligne_vue l
                   where l.id_reception = r.id_reception order by l.id_ligne) as lignes
  from achat.reception_vue r;
comment on view achat.reception_detail_vue is 'Réception et ses produits.';

create trigger t20_date_future before insert on achat.reception
  for each row when (new.date > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date de la réception est dans le futur.');

create trigger t20_periode_close before insert on achat.reception
  for each row when (new.date < date_trunc('month', core.jour(clock_timestamp())::timestamp))
  execute function compta._t20_periode_close('date');

create trigger t10_reception_auteur before insert on achat.reception
  for each row execute function core._t10_auteur();

call core.figer('RECEPTION_FIGEE',
  'Une réception ne change ni ne s''efface : elle s''annule par une réception contraire.',
  'before update or delete on achat.reception', 'before delete on achat.reception_ligne');

create function achat._reception_facturer(
  p_ligne achat.facture_ligne, p_id_fournisseur bigint, p_cout numeric, p_jour date)
returns achat.facture_ligne
language plpgsql volatile as $$
declare
  v record;
begin
  select l.*, r.id_fournisseur, r.id_reception_origine is not null or exists (
           select from achat.reception c where c.id_reception_origine = r.id_reception) as annulee
    into v
    from achat.reception_ligne l
    join achat.reception r on r.id_reception = l.id_reception
   where l.id_reception = (p_ligne).id_reception and l.id_produit = (p_ligne).id_produit
     for no key update of l;
  if v.id_fournisseur is distinct from p_id_fournisseur then
    perform core.refuser(409, 'PRODUIT_NON_RECU', 'Cette réception de ce fournisseur n''a pas ce produit.',
                         jsonb_build_object('id_reception', (p_ligne).id_reception::text,
                                            'id_produit', (p_ligne).id_produit::text));
  elsif v.annulee then
    perform core.refuser(409, 'RECEPTION_ANNULEE', 'Cette réception est annulée.',
                         jsonb_build_object('id_reception', (p_ligne).id_reception::text));
  elsif v.quantite_facturee + (p_ligne).quantite > v.quantite then
    perform core.refuser(409, 'RECEPTION_DEJA_FACTUREE',
      format('De cette réception, il reste %s à facturer.', core.nombre_ecrire(v.quantite - v.quantite_facturee)),
      jsonb_build_object('id_reception', (p_ligne).id_reception::text, 'id_produit', (p_ligne).id_produit::text,
                         'reste', (v.quantite - v.quantite_facturee)::text));
  end if;
  p_ligne.id_mouvement := v.id_mouvement;
  p_ligne.montant_attendu := market._part(v.montant - v.montant_facture, v.quantite - v.quantite_facturee,
                                          (p_ligne).quantite);
  update achat.reception_ligne l
     set quantite_facturee = l.quantite_facturee + (p_ligne).quantite,
         montant_facture = l.montant_facture + (p_ligne).montant_attendu
   where l.id_ligne = v.id_ligne;
  if p_cout <> (p_ligne).montant_attendu then
    insert into market.mouvement_stock (id_produit, type, quantite, cout_unitaire, valeur, id_mouvement_origine, motif,
                                        jour)
    values ((p_ligne).id_produit, 'AJUSTEMENT', 0, p_cout / (p_ligne).quantite, p_cout - (p_ligne).montant_attendu,
            v.id_mouvement, format('Facture de la réception %s', (p_ligne).id_reception), p_jour);
  end if;
  return p_ligne;
end $$;
comment on function achat._reception_facturer is
  'La facture de marchandises déjà arrivées : leur coût change de ce qu''elle dit de plus ou de moins que le coût attendu. Refuse PRODUIT_NON_RECU, RECEPTION_ANNULEE, RECEPTION_DEJA_FACTUREE.';

-- The cost of goods that were bought is on their bill.
create function achat._t20_cout_d_un_achat() returns trigger
language plpgsql stable as $$
begin
  if new.valeur is null and (
       exists (select from achat.facture_ligne l where l.id_mouvement = new.id_mouvement_origine)
       or exists (select from achat.reception_ligne l where l.id_mouvement = new.id_mouvement_origine)) then
    perform core.refuser(409, 'COUT_D_UN_ACHAT',
      'Cette entrée vient d''un achat : son coût est celui de sa facture, et elle se défait par un avoir.');
  end if;
  return new;
end $$;
comment on function achat._t20_cout_d_un_achat is 'Refuse de corriger ou de défaire hors des achats ce qu''ils ont fait entrer.';

create trigger t20_cout_d_un_achat before insert on market.mouvement_stock
  for each row when (new.id_mouvement_origine is not null)
  execute function achat._t20_cout_d_un_achat();
