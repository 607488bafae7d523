-- Bills of suppliers. A line brings goods, or is an expense. The contents of a bill never change: a draft is given up,
-- and a valid bill is credited. Locks, in this order: the bills by id, the products by id, the closed months (shared),
-- the lines of receptions, the counter of the numbers; to pay: the bills by id, the till (shared).

create view achat.achat_vue as
select f.id_achat, f.numero::text as numero, f.id_fournisseur, s.nom::text as fournisseur_nom,
       f.numero_fournisseur::text as numero_fournisseur, f.date, f.echeance, f.jour, f.statut, f.frais, f.remise,
       f.montant_ht, f.montant_taxe, f.montant_total, f.montant_avoirs, f.montant_paye, f.reste, f.id_activite,
       f.id_utilisateur
  from achat.facture f
  join market.fournisseur s on s.id_fournisseur = f.id_fournisseur
 where (select market._visible()) and core._visible(f.id_activite, (select core.activite()));
comment on view achat.achat_vue is 'Factures des fournisseurs.';
comment on column achat.achat_vue.fournisseur_nom is 'Nom du fournisseur.';
call core.null_comme('achat.achat_vue', 'achat.facture');
call core.jamais_null('achat.achat_vue', 'numero_fournisseur', 'fournisseur_nom');

create view achat.achat_ligne_vue as
select l.id_ligne, l.id_achat, l.id_produit, p.nom as produit, l.quantite, l.prix_unitaire, l.id_categorie_depense,
       l.libelle::text as libelle, l.montant, l.remise, l.frais, l.net, l.code_taxe, l.montant_taxe, l.id_reception,
       l.montant_attendu, l.id_mouvement
  from achat.facture_ligne l
  left join market.produit p on p.id_produit = l.id_produit;
comment on view achat.achat_ligne_vue is 'Lignes des factures d''achat.';
comment on column achat.achat_ligne_vue.produit is 'Nom du produit, null d''une dépense.';
call core.null_comme('achat.achat_ligne_vue', 'achat.facture_ligne');
call core.peut_etre_null('achat.achat_ligne_vue', 'produit');

create view achat.reglement_achat_vue as
select a.id_achat, a.id_paiement, p.jour as date, a.montant, p.date_annulation
  from achat.application a
  join achat.paiement p on p.id_paiement = a.id_paiement;
comment on view achat.reglement_achat_vue is 'Ce qui règle les factures d''achat.';
call core.null_comme('achat.reglement_achat_vue', 'achat.paiement');
comment on column achat.reglement_achat_vue.date is 'Date de gestion du paiement.';
comment on column achat.reglement_achat_vue.montant is 'Plus petit que zéro : déduit d''une autre facture.';

create view achat.achat_detail_vue as
select f.*, array(select l from achat.achat_ligne_vue l where l.id_achat = f.id_achat order by l.id_ligne) as lignes,
       array(select a from achat.avoir_achat_vue a where a.id_achat = f.id_achat order by a.id_avoir) as avoirs,
       array(select r from achat.reglement_achat_vue r
              where r.id_achat = f.id_achat order by r.id_paiement) as paiements
  from achat.achat_vue f;
call core.null_comme('achat.achat_detail_vue', 'achat.facture');
comment on view achat.achat_detail_vue is 'Facture d''achat, ses lignes, ses avoirs et ses paiements.';

create function achat._facture_guichet(p_id_achat bigint, p_action text) returns void
language plpgsql stable as $$
begin
  perform achat._permis(bool_or(l.id_produit is not null), bool_or(l.id_produit is null), p_action)
     from achat.facture_ligne l where l.id_achat = p_id_achat;
end $$;
comment on function achat._facture_guichet is 'Refuse une facture dont une ligne demande une permission que l''utilisateur n''a pas.';

-- A route accepts either permission; what the bill contains says which one it takes.
create function achat._permis(p_marchandises boolean, p_depenses boolean, p_action text) returns void
language plpgsql stable as $$
begin
  if p_marchandises and not auth._permise('MARCHANDISE.' || p_action) then
    perform core.refuser(403, 'MARCHANDISES_INTERDITES',
                         format('Pour des marchandises, il faut la permission MARCHANDISE.%s.', p_action));
  elsif p_depenses and not auth._permise('FINANCES.' || p_action) then
    perform core.refuser(403, 'DEPENSES_INTERDITES',
                         format('Pour autre chose que des marchandises, il faut la permission FINANCES.%s.', p_action));
  end if;
end $$;
comment on function achat._permis is
  'Les marchandises demandent une permission de MARCHANDISE, le reste de FINANCES. Refuse MARCHANDISES_INTERDITES, DEPENSES_INTERDITES.';

call core.verrouillage('achat._facture_verrouiller', 'achat.facture', 'id_achat', 'achat.facture_detail(p_id_achat)');
comment on function achat._facture_verrouiller is 'Verrouille une facture que l''utilisateur voit. Refuse NOT_FOUND.';

call core.transitions('achat.facture', 'BROUILLON: VALIDEE ANNULEE', 'VALIDEE: PARTIELLE PAYEE ANNULEE',
  'PARTIELLE: VALIDEE PAYEE ANNULEE', 'PAYEE: VALIDEE PARTIELLE ANNULEE');

create function achat._brouillon_exiger(p_facture achat.facture) returns void
language plpgsql stable as $$
begin
  if (p_facture).statut <> 'BROUILLON' then
    perform core.refuser(409, 'FACTURE_DEJA_VALIDEE',
      'Cette facture n''est plus un brouillon : elle se corrige par un avoir de son fournisseur.');
  end if;
end $$;
comment on function achat._brouillon_exiger is 'Refuse une facture qui n''est plus un brouillon : FACTURE_DEJA_VALIDEE.';

-- A paper of a closed month counts on the day of its entry.
create function achat._jour(p_date date) returns date
language sql volatile
return case when compta._jour_clos(p_date) then core.aujourdhui() else p_date end;
comment on function achat._jour is 'Date de gestion d''un document de cette date.';

create function achat._solder(p_id_achat bigint, p_paye numeric, p_avoirs numeric) returns void
language sql volatile
begin atomic
  update achat.facture f
     set montant_paye = f.montant_paye + p_paye, montant_avoirs = f.montant_avoirs + p_avoirs,
         statut = case when f.montant_avoirs + p_avoirs = f.montant_total then 'ANNULEE'
                       when f.reste - p_paye - p_avoirs <= 0 then 'PAYEE'
                       when f.montant_paye + p_paye > 0 then 'PARTIELLE' else 'VALIDEE' end::achat.statut_facture
   where f.id_achat = p_id_achat;
end;
comment on function achat._solder is 'Ajoute à ce qu''une facture a de payé et de crédité, et la met dans l''état qui en suit.';

-- The privileges of sql/grants.sql allow the code to update a few columns only.
call core.figer('ACHAT_FIGE', 'Une facture d''achat ne change ni ne s''efface : elle s''abandonne ou se crédite.',
  'before delete on achat.facture', 'before delete on achat.facture_ligne',
  'numero: before update of numero, jour on achat.facture when (old.numero is not null)',
  'entree: before update of id_mouvement, montant_attendu on achat.facture_ligne when (old.id_mouvement is not null)');

create trigger t20_date_future before insert on achat.facture
  for each row when (new.date > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date de la facture est dans le futur.');

create trigger t10_achat_auteur before insert on achat.facture
  for each row execute function core._t10_auteur();
