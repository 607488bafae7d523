-- Credit notes of suppliers. Goods go out at the cost at which their line brought them; a rebate lowers the cost of goods
-- that stay. Locks: see _facture.sql.

create view achat.avoir_achat_ligne_vue as
select l.id_avoir, l.id_ligne, f.id_produit, coalesce(p.nom::text, f.libelle::text) as libelle, l.quantite, l.montant,
       l.montant_taxe, l.id_mouvement
  from achat.avoir_ligne l
  join achat.facture_ligne f on f.id_ligne = l.id_ligne
  left join market.produit p on p.id_produit = f.id_produit;
comment on view achat.avoir_achat_ligne_vue is 'Lignes des avoirs des fournisseurs.';
comment on column achat.avoir_achat_ligne_vue.libelle is 'Nom du produit, ou ce qui était acheté.';
call core.jamais_null('achat.avoir_achat_ligne_vue', 'libelle');
call core.null_comme('achat.avoir_achat_ligne_vue', 'achat.avoir_ligne');
call core.peut_etre_null('achat.avoir_achat_ligne_vue', 'id_produit');

create view achat.avoir_achat_vue as
select a.id_avoir, a.numero::text as numero, a.id_achat, a.numero_fournisseur, a.date, a.jour, a.motif, a.montant_ht,
       a.montant_taxe, a.montant_total, a.id_utilisateur,
       array(select l from achat.avoir_achat_ligne_vue l where l.id_avoir = a.id_avoir order by l.id_ligne) as lignes
  from achat.avoir a;
comment on view achat.avoir_achat_vue is 'Avoirs des fournisseurs.';
call core.null_comme('achat.avoir_achat_vue', 'achat.avoir');
call core.jamais_null('achat.avoir_achat_vue', 'numero');

-- The parts that are credited one after the other add up to the line.
create view achat._creditable_vue as
select l.id_ligne, l.id_achat, l.id_produit, l.id_mouvement, l.quantite - coalesce(a.quantite, 0) as quantite,
       l.net - coalesce(a.montant, 0) as montant, l.montant_taxe - coalesce(a.taxe, 0) as taxe
  from achat.facture_ligne l
  left join lateral (select sum(x.quantite) as quantite, sum(x.montant) as montant, sum(x.montant_taxe) as taxe
                       from achat.avoir_ligne x where x.id_ligne = l.id_ligne) a on true;
comment on view achat._creditable_vue is 'Ce qui reste à créditer de chaque ligne.';

create type achat.ligne_a_rendre as (id_ligne bigint, quantite core.quantite, montant core.montant_du_reglement);
comment on type achat.ligne_a_rendre is 'Ligne de la facture que le fournisseur crédite.';
comment on column achat.ligne_a_rendre.quantite is 'Quantité rendue de marchandises ; null, sans montant, pour toutes.';
comment on column achat.ligne_a_rendre.montant is
  'Hors taxe : ce qui est crédité d''une dépense, null pour tout ; de marchandises qui restent, le rabais sur leur prix.';
call core.peut_etre_null('achat.ligne_a_rendre', 'quantite', 'montant');

create function achat._avoir_verifier(p_facture achat.facture, p_lignes achat.ligne_a_rendre[], p_date date)
returns void
language plpgsql stable as $$
declare
  v record;
begin
  if (p_facture).statut in ('BROUILLON', 'ANNULEE') then
    perform core.refuser(409, 'FACTURE_NON_CREDITABLE',
                         'Un avoir porte sur une facture validée qui n''est pas annulée.');
  elsif p_date > core.aujourdhui() then
    perform core.refuser(400, 'DATE_FUTURE', 'La date de l''avoir est dans le futur.');
  end if;
  for v in
    select l.*, c.id_achat, c.id_produit, c.quantite as reste, c.montant as montant_reste
      from unnest(p_lignes) l
      left join achat._creditable_vue c on c.id_ligne = l.id_ligne and c.id_achat = (p_facture).id_achat
  loop
    if v.id_achat is null then
      perform core.refuser(400, 'LIGNE_D_UNE_AUTRE_FACTURE', 'Cette ligne est celle d''une autre facture.');
    elsif v.quantite is not null and (v.id_produit is null or v.montant is not null) then
      perform core.refuser(400, 'QUANTITE_OU_MONTANT',
        'Une dépense se crédite d''un montant ; des marchandises d''une quantité rendue, ou d''un rabais si elles restent.');
    elsif coalesce(v.quantite > v.reste, v.montant > v.montant_reste, v.reste = 0, v.montant_reste = 0) then
      perform core.refuser(409, 'AVOIR_EXCESSIF', 'Les avoirs de cette ligne dépassent ce qui en est facturé.',
        jsonb_build_object('id_ligne', v.id_ligne::text, 'quantite', v.reste::text, 'montant', v.montant_reste::text));
    end if;
  end loop;
end $$;
comment on function achat._avoir_verifier is
  'Refuse FACTURE_NON_CREDITABLE, DATE_FUTURE, LIGNE_D_UNE_AUTRE_FACTURE, QUANTITE_OU_MONTANT, AVOIR_EXCESSIF.';
call core.ne_refuse_que('achat._avoir_verifier', 'date', 'DATE_FUTURE');
call core.ne_refuse_que('achat._avoir_verifier', 'lignes', 'LIGNE_D_UNE_AUTRE_FACTURE', 'QUANTITE_OU_MONTANT',
  'AVOIR_EXCESSIF');

create function achat._lignes_a_crediter(p_id_achat bigint, p_lignes achat.ligne_a_rendre[])
returns table (id_ligne bigint, id_produit bigint, id_mouvement bigint, quantite numeric, montant numeric, taxe numeric,
               cout numeric, cout_unitaire numeric)
language sql stable
begin atomic
  select c.id_ligne, c.id_produit, c.id_mouvement, q.quantite, m.montant, m.taxe, m.montant + m.taxe * f.taxe_du_cout,
         case when c.id_produit is not null
              then (c.montant - m.montant + (c.taxe - m.taxe) * f.taxe_du_cout) / c.quantite end
    from achat._creditable_vue c
    left join unnest(p_lignes) l on l.id_ligne = c.id_ligne
    join lateral (select (x.deduction = 'AUCUNE')::integer as taxe_du_cout from achat.facture x
                   where x.id_achat = c.id_achat) f on true
   cross join lateral (
     select case when c.id_produit is not null and l.montant is null then coalesce(l.quantite, c.quantite) end
              as quantite) q
   cross join lateral (
     select case when q.quantite is null then coalesce(l.montant, c.montant)
                 else market._part(c.montant, c.quantite, q.quantite) end as montant,
            case when q.quantite is null then market._part(c.taxe, c.montant, coalesce(l.montant, c.montant))
                 else market._part(c.taxe, c.quantite, q.quantite) end as taxe) m
   where c.id_achat = p_id_achat and (l.id_ligne is not null or p_lignes is null)
     and case when c.id_produit is not null then c.quantite > 0 else c.montant > 0 end;
end;
comment on function achat._lignes_a_crediter is
  'Lignes d''un avoir : celles qui sont données, sinon tout ce qui reste de la facture. Un rabais n''a pas de quantité ; « cout_unitaire » est celui de ce qui reste après lui.';

create function achat._marchandises_rendre(p_facture achat.facture, p_id_avoir bigint, p_lignes achat.ligne_a_rendre[])
returns void
language plpgsql volatile as $$
declare
  v record;
begin
  for v in select * from achat._lignes_a_crediter((p_facture).id_achat, p_lignes) l order by l.id_produit, l.id_ligne
  loop
    if v.quantite is not null then
      insert into market.mouvement_stock as m (id_produit, type, quantite, valeur, id_mouvement_origine, motif,
                                               document_ref)
      values (v.id_produit, 'SORTIE', v.quantite, -v.cout, v.id_mouvement, 'Rendu au fournisseur',
              (p_facture).numero_fournisseur)
      returning m.id_mouvement into v.id_mouvement;
    elsif v.id_produit is not null then
      insert into market.mouvement_stock as m (id_produit, type, quantite, cout_unitaire, valeur, id_mouvement_origine,
                                               motif, document_ref, jour)
      values (v.id_produit, 'AJUSTEMENT', 0, v.cout_unitaire, -v.cout, v.id_mouvement,
              'Rabais du fournisseur', (p_facture).numero_fournisseur,
              (select a.jour from achat.avoir a where a.id_avoir = p_id_avoir))
      returning m.id_mouvement into v.id_mouvement;
    end if;
    insert into achat.avoir_ligne (id_avoir, id_ligne, quantite, montant, montant_taxe, id_mouvement)
    values (p_id_avoir, v.id_ligne, v.quantite, v.montant, v.taxe,
            case when v.id_produit is not null then v.id_mouvement end);
  end loop;
end $$;
comment on function achat._marchandises_rendre is
  'Écrit les lignes d''un avoir : ses marchandises sortent au coût auquel elles étaient entrées, ou restent et coûtent moins.';

create trigger t10_avoir_auteur before insert on achat.avoir
  for each row execute function core._t10_auteur();

call core.figer('AVOIR_D_ACHAT_FIGE', 'Un avoir de fournisseur ne change ni ne s''efface.',
  'before update or delete on achat.avoir', 'before update or delete on achat.avoir_ligne');
