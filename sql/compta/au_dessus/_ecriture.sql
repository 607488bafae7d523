-- The ledger: each document of money as balanced lines. Nothing is stored before a month is closed. All money of
-- clients is in one account, 4111: what is applied to which invoice makes no entry, and an overpayment is a credit of
-- that account.
-- A filter by date, type and id_document reaches the tables: pages of the list (ecriture_lister.sql) read their
-- documents only. The columns of all kinds have the same types, which the planner needs for this.

-- The entry of an invoice or a credit note takes these amounts out of the sales.
create view compta._taxe_vue as
select 'FACTURE'::compta.type_ecriture as type, x.id_facture as id_document, t.code, sum(x.montant) as montant
  from facturation.facture_ligne_taxe x
  join core.taxe t on t.id_taxe = x.id_taxe
 group by x.id_facture, t.code
union all
select 'AVOIR', l.id_avoir, t.code, sum(l.montant_taxe)
  from facturation.avoir_ligne l
  join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
  join core.taxe t on t.id_taxe = x.id_taxe
 group by l.id_avoir, t.code;
comment on view compta._taxe_vue is 'Taxe de chaque facture et avoir, par code.';

-- An entry of the accountant may have a line for each account of the chart.
create function compta._rangs(p_type compta.type_ecriture) returns integer
language sql immutable parallel safe
return case when p_type::text in ('OPERATION', 'A_NOUVEAU', 'RESULTAT') then 10000 else 100 end;
comment on function compta._rangs is 'Nombre de lignes que peut avoir un document : l''identifiant d''une ligne est celui du document × ce nombre + son rang.';

create function compta._journal(p_compte text) returns compta.journal
language sql immutable parallel safe
return case when p_compte like '57%' then 'CA'::compta.journal else 'BQ' end;
comment on function compta._journal is 'Journal d''un compte de trésorerie.';

create view compta._facture_vue as
select f.jour as date, 'FACTURE'::compta.type_ecriture as type, f.id_facture as id_document, l.rang,
       'VE'::compta.journal as journal, f.numero as piece, l.cas, l.compte,
       coalesce(f.libelle, 'Facture') || coalesce(', ' || c.nom, '') as libelle, l.au_debit, l.montant,
       f.source_type || '-' || f.source_id as reference, f.id_activite, null::bigint as id_caisse
  from facturation.facture f
 cross join compta._general_vue g
  left join compta.compte v on v.cas = 'VENTES' and v.id_activite = f.id_activite
  left join client.client c on c.id_client = f.id_client
 cross join lateral (
   select coalesce(sum(t.montant), 0) as taxes from compta._taxe_vue t
    where t.type = 'FACTURE' and t.id_document = f.id_facture) h
 cross join lateral (
   select 1 as rang, 'CLIENTS'::compta.cas as cas, g.clients as compte, true as au_debit,
          f.montant_total::numeric as montant
   union all
   select 2, 'VENTES', coalesce(v.compte, g.ventes), false, f.montant_total - h.taxes
   union all
   select 2 + row_number() over (order by t.code)::integer, 'TAXES', coalesce(x.compte, g.taxes), false, t.montant
     from compta._taxe_vue t
     left join compta.compte x on x.cas = 'TAXES' and x.code_taxe = t.code
    where t.type = 'FACTURE' and t.id_document = f.id_facture) l
 -- An invoice that was cancelled before there were credit notes counts on no day.
 where facturation._montant_facture(f) > 0;
comment on view compta._facture_vue is 'Écriture de chaque facture.';

create view compta._avoir_vue as
select a.jour as date, 'AVOIR'::compta.type_ecriture as type, a.id_avoir as id_document, l.rang,
       'VE'::compta.journal as journal, a.numero as piece, l.cas, l.compte,
       'Avoir sur ' || f.numero || coalesce(', ' || c.nom, '') as libelle, l.au_debit, l.montant,
       f.numero as reference, a.id_activite, null::bigint as id_caisse
  from facturation.avoir a
  join facturation.facture f on f.id_facture = a.id_facture
 cross join compta._general_vue g
  left join compta.compte v on v.cas = 'VENTES' and v.id_activite = a.id_activite
  left join client.client c on c.id_client = a.id_client
 cross join lateral (
   select coalesce(sum(t.montant), 0) as taxes from compta._taxe_vue t
    where t.type = 'AVOIR' and t.id_document = a.id_avoir) h
 cross join lateral (
   select 1 as rang, 'VENTES'::compta.cas as cas, coalesce(v.compte, g.ventes) as compte, true as au_debit,
          a.montant_total - h.taxes as montant
   union all
   select 3 + row_number() over (order by t.code)::integer, 'TAXES', coalesce(x.compte, g.taxes), true, t.montant
     from compta._taxe_vue t
     left join compta.compte x on x.cas = 'TAXES' and x.code_taxe = t.code
    where t.type = 'AVOIR' and t.id_document = a.id_avoir
   union all
   select 2, 'CLIENTS', g.clients, false, a.montant_total - case when a.rembourse then 0 else a.montant_excedent end
   union all
   select 3, 'CREDIT_CLIENT', g.credit_client, false, case when a.rembourse then 0 else a.montant_excedent end) l;
comment on view compta._avoir_vue is 'Écriture de chaque avoir.';

create view compta._paiement_vue as
select p.jour as date, 'PAIEMENT'::compta.type_ecriture as type, p.id_paiement as id_document, l.rang,
       case when p.credit then 'OD' else compta._journal(t.compte) end as journal, 'PAI-' || p.id_paiement as piece,
       l.cas, l.compte,
       coalesce(p.motif, case p.type when 'ENCAISSEMENT' then 'Encaissement' else 'Décaissement' end)::text as libelle,
       l.au_debit, l.montant, coalesce(p.reference::text, r.numeros) as reference, p.id_activite, p.id_caisse
  from finances.paiement p
 cross join compta._general_vue g
  left join compta.compte m on m.cas = 'MOYENS' and m.id_moyen = p.id_moyen
  left join compta.compte k on k.cas = 'CAISSES' and k.id_caisse = p.id_caisse
 cross join lateral (
   select case when p.credit then 'CREDIT_CLIENT'::compta.cas
               when p.id_caisse is null then 'HORS_CAISSE' else 'CAISSES' end as cas,
          case when p.credit then g.credit_client
               when p.id_caisse is null then coalesce(m.compte, g.hors_caisse)
               else coalesce(m.compte, k.compte, g.caisses) end as compte) t
 cross join lateral (
   select case when exists (select from residence.caution_evenement h where h.id_paiement = p.id_paiement)
               then 'CAUTIONS'::compta.cas
               when exists (select from rh.paie s where s.id_paiement = p.id_paiement) then 'PERSONNEL'
               else 'CLIENTS' end as cas
   offset 0) q -- computed once for both lines
  left join lateral (
   select string_agg(distinct f.numero, ' ') as numeros
     from finances.imputation_vue a
     join facturation.facture f on f.id_facture = a.id_facture
    where a.id_paiement = p.id_paiement) r on p.reference is null
  -- The payment that a counter-payment gives back had left a credit: the counter-payment takes it back.
  left join lateral (
   select -sum(c.montant) as montant from finances.mouvement_credit c
    where c.id_paiement = p.id_paiement and c.id_avoir is not null) c on p.id_paiement_origine is not null
 cross join lateral (values
   (1, t.cas, t.compte, p.type = 'ENCAISSEMENT', p.montant::numeric),
   (2, q.cas, case q.cas when 'CAUTIONS' then g.cautions when 'PERSONNEL' then g.personnel else g.clients end,
    p.type <> 'ENCAISSEMENT', p.montant),
   (3, 'CREDIT_CLIENT', g.credit_client, true, c.montant), (4, 'CLIENTS', g.clients, false, c.montant))
   l (rang, cas, compte, au_debit, montant);
comment on view compta._paiement_vue is 'Écriture de chaque paiement.';

create view compta._depense_vue as
select d.jour as date, 'DEPENSE'::compta.type_ecriture as type, d.id_depense as id_document, l.rang,
       compta._journal(t.compte) as journal, 'DEP-' || d.id_depense as piece, l.cas, l.compte,
       d.libelle::text as libelle, l.au_debit, d.montant::numeric as montant, left(d.justificatif, 200) as reference,
       d.id_activite, d.id_caisse
  from finances.depense d
 cross join compta._general_vue g
  left join compta.compte x on x.cas = 'DEPENSES' and x.id_categorie_depense = d.id_categorie_depense
  left join tresorerie.compte b on b.id_compte = d.id_compte
  left join compta.compte k on k.cas = 'CAISSES' and k.id_caisse = d.id_caisse
  left join compta.compte m on m.cas = 'MOYENS' and m.id_moyen = b.id_moyen
 cross join lateral (
   select case when d.id_compte is not null then 'HORS_CAISSE'::compta.cas
               when d.id_caisse is null then 'DEPENSES_HORS_CAISSE' else 'CAISSES' end as cas,
          case when d.id_compte is not null then coalesce(m.compte, g.hors_caisse)
               when d.id_caisse is null then g.depenses_hors_caisse else coalesce(k.compte, g.caisses) end as compte) t
 cross join lateral (values
   (1, 'DEPENSES'::compta.cas, coalesce(x.compte, g.depenses), true),
   (2, t.cas, t.compte, false))
   l (rang, cas, compte, au_debit)
 where d.date_annulation is null and not exists (select from achat.paiement p where p.id_depense = d.id_depense);
comment on view compta._depense_vue is 'Écriture de chaque dépense qui ne paie pas un achat.';

-- Money leaves through the journal of one place and arrives through the journal of the other place. Between them stands
-- the account of transfers. The label of the type is read as a text: it may have been added in the transaction that loads this code.
create view compta._virement_vue as
select v.jour as date, 'VIREMENT'::text::compta.type_ecriture as type, v.id_virement as id_document, l.rang,
       compta._journal(e.compte) as journal, v.numero::text as piece, l.cas, l.compte,
       coalesce(v.motif::text, case when v.id_virement_origine is null then 'Virement' else 'Virement annulé' end)
         as libelle, l.au_debit, l.montant, v.reference::text as reference, e.id_activite, e.id_caisse
  from tresorerie.virement v
 cross join compta._general_vue g
 cross join lateral (values
   (true, v.id_caisse_de, v.id_compte_de), (false, v.id_caisse_vers, v.id_compte_vers)) s (de, id_caisse, id_compte)
  left join finances.caisse c on c.id_caisse = s.id_caisse
  left join tresorerie.compte b on b.id_compte = s.id_compte
  left join compta.compte k on k.cas = 'CAISSES' and k.id_caisse = s.id_caisse
  left join compta.compte m on m.cas = 'MOYENS' and m.id_moyen = coalesce(b.id_moyen, v.id_moyen)
 cross join lateral (
   select s.id_caisse, coalesce(c.id_activite, b.id_activite) as id_activite,
          case when s.id_caisse is null then 'HORS_CAISSE' else 'CAISSES' end::compta.cas as cas,
          case when s.id_caisse is null then coalesce(m.compte, g.hors_caisse)
               else coalesce(m.compte, k.compte, g.caisses) end as compte,
          case when s.de = (v.id_virement_origine is null) then v.frais else 0 end as frais
   offset 0) e -- computed once for all lines
 cross join lateral (values
   (case when s.de then 1 else 4 end, 'VIREMENTS'::compta.cas, g.virements, s.de, v.montant::numeric),
   (case when s.de then 2 else 3 end, e.cas, e.compte, not s.de, v.montant),
   (5, 'FRAIS', g.frais, s.de, e.frais), (6, e.cas, e.compte, not s.de, e.frais))
   l (rang, cas, compte, au_debit, montant);
comment on view compta._virement_vue is 'Écriture de chaque virement.';

-- A deposit is received and given back by payments. The part that the house keeps leaves the debt without one.
create view compta._caution_vue as
select c.date_restitution as date, 'CAUTION'::compta.type_ecriture as type, c.id_caution as id_document, l.rang,
       'OD'::compta.journal as journal, 'CAUTION-' || c.id_caution as piece, l.cas, l.compte,
       'Caution gardée, ' || b.numero_contrat || coalesce(', ' || c.motif_retenue, '') as libelle,
       l.au_debit, c.retenue::numeric as montant, b.numero_contrat as reference, residence._activite() as id_activite,
       null::bigint as id_caisse
  from residence.caution c
  join residence.contrat_location b on b.id_contrat = c.id_contrat
 cross join compta._general_vue g
 cross join lateral (values
   (1, 'CAUTIONS'::compta.cas, g.cautions, true), (2, 'CAUTIONS_RETENUES', g.cautions_retenues, false))
   l (rang, cas, compte, au_debit)
 where residence._caution_encaissee(c.id_caution);
comment on view compta._caution_vue is 'Écriture de chaque caution dont la maison garde une part.';

create view compta._paie_vue as
select s.jour as date, 'PAIE'::compta.type_ecriture as type, s.id_paie as id_document, l.rang,
       'OD'::compta.journal as journal, 'PAIE-' || s.id_paie as piece, l.cas, l.compte,
       format('Salaire %s, %s %s', s.periode, e.nom, e.prenom) as libelle, l.au_debit, l.montant,
       format('%s-%s', e.code, s.periode) as reference, null::bigint as id_activite, null::bigint as id_caisse
  from rh.paie s
  join rh.employe e on e.id_employe = s.id_employe
 cross join compta._general_vue g
 cross join lateral (
   select coalesce(-sum(x.montant), 0) as montant from rh.element_salaire x
    where x.id_paie = s.id_paie and x.type = 'AVANCE') v
 cross join lateral (values
   (1, 'SALAIRES'::compta.cas, g.salaires, true, s.salaire_base::numeric),
   (2, 'PRIMES', g.primes, true, s.total_elements),
   (3, 'PERSONNEL', g.personnel, false, s.montant_a_payer),
   (4, 'PERSONNEL_AVANCES', g.personnel_avances, false, v.montant),
   (5, 'PERSONNEL_RETENUES', g.personnel_retenues, false, s.total_retenues - v.montant))
   l (rang, cas, compte, au_debit, montant)
 where s.statut in ('VALIDEE', 'PAYEE');
comment on view compta._paie_vue is 'Écriture de chaque bulletin de paie.';

-- Permanent inventory: goods that enter the stock leave the purchases of the year, and the contrary. A correction of the
-- cost of goods that are gone is already in the purchases. Before the upgrade no entry had carried the stock.
create view compta._stock_vue as
select m.jour as date, 'STOCK'::text::compta.type_ecriture as type, m.id_mouvement as id_document, l.rang,
       'OD'::compta.journal as journal, 'STOCK-' || m.id_mouvement as piece, l.cas, l.compte,
       coalesce(m.motif::text,
                case m.type when 'ENTREE' then 'Entrée' when 'SORTIE' then 'Sortie' else 'Ajustement' end)
         || ', ' || p.nom as libelle, l.au_debit,
       abs(m.valeur)::numeric as montant, coalesce(m.document_ref::text, 'VENTE-' || m.id_vente) as reference,
       (select facturation._activite('VENTE_MARCHANDISES')) as id_activite, null::bigint as id_caisse
  from market.mouvement_stock m
  join market.produit p on p.id_produit = m.id_produit
 cross join compta._general_vue g
 cross join lateral (values
   (1, 'STOCK'::compta.cas, g.stock, m.valeur > 0),
   (2, case m.origine_cout when 'OUVERTURE' then 'A_NOUVEAU' else 'VARIATION_STOCK' end::compta.cas,
    case m.origine_cout when 'OUVERTURE' then g.a_nouveau else g.variation_stock end, m.valeur < 0))
   l (rang, cas, compte, au_debit);
comment on view compta._stock_vue is 'Écriture de chaque mouvement de stock, de sa valeur.';

create view compta._operation_vue as
select o.jour as date, case when o.ouverture then 'A_NOUVEAU' else 'OPERATION' end::compta.type_ecriture as type,
       o.id_operation as id_document, l.rang, 'OD'::compta.journal as journal, o.numero::text as piece,
       null::compta.cas as cas, l.compte::text as compte, coalesce(l.libelle, o.libelle)::text as libelle,
       l.debit is not null as au_debit, coalesce(l.debit, l.credit)::numeric as montant, n.numero::text as reference,
       o.id_activite, null::bigint as id_caisse
  from compta.operation o
  join compta.operation_ligne l on l.id_operation = o.id_operation
  left join compta.operation n on n.id_operation = o.id_operation_origine;
comment on view compta._operation_vue is 'Écriture de chaque opération du comptable, et des à-nouveaux.';

-- The year of a closed exercise is closed, so its lines are frozen. Each activity and till has its own balances, and they
-- have one account for the result of the house.
create view compta._resultat_vue as
select make_date(x.annee, 12, 31) as date, 'RESULTAT'::text::compta.type_ecriture as type,
       x.annee::bigint as id_document, l.rang::integer as rang, 'OD'::compta.journal as journal,
       'RESULTAT-' || x.annee as piece, l.cas, l.compte,
       'Résultat de l''exercice ' || x.annee as libelle, l.solde < 0 as au_debit, abs(l.solde) as montant,
       null::text as reference, l.id_activite, l.id_caisse
  from compta.exercice_clos x
 cross join compta._general_vue g
 cross join lateral (
   with s as (
     select e.compte::text as compte, e.id_activite, e.id_caisse, sum(coalesce(e.debit, -e.credit)) as solde
       from compta.ecriture e
      where e.date between make_date(x.annee, 1, 1) and make_date(x.annee, 12, 31)
        and compta._de_resultat(e.compte) and e.type::text <> 'RESULTAT'
      group by e.compte, e.id_activite, e.id_caisse
   ), r as (
     select case when sum(s.solde) > 0 then 'RESULTAT_PERTE' else 'RESULTAT' end::compta.cas as cas from s
   ), t as (
     select null::compta.cas as cas, s.compte, s.id_activite, s.id_caisse, s.solde from s
     union all
     select r.cas, case r.cas when 'RESULTAT' then g.resultat else g.resultat_perte end, s.id_activite, s.id_caisse,
            -sum(s.solde)
       from s cross join r group by r.cas, s.id_activite, s.id_caisse
   )
   select row_number() over (order by t.cas nulls first, t.compte, t.id_activite, t.id_caisse) as rang, t.* from t) l;
comment on view compta._resultat_vue is 'Écriture de chaque exercice clôturé : elle solde ses charges et ses produits.';

-- Goods that come before their bill are a purchase and a debt without a bill. The bill takes this debt, and its
-- difference is a purchase too: the value of the stock is written apart.
create view compta._reception_vue as
select r.date, 'RECEPTION'::text::compta.type_ecriture as type, r.id_reception as id_document, l.rang,
       'OD'::compta.journal as journal, 'REC-' || r.id_reception as piece, l.cas::text::compta.cas as cas, l.compte,
       case when r.id_reception_origine is null then 'Réception, ' else 'Réception annulée, ' end || s.nom as libelle,
       l.au_debit = (r.id_reception_origine is null) as au_debit, m.montant, r.document_ref::text as reference,
       b.id_activite, null::bigint as id_caisse
  from achat.reception r
  join market.fournisseur s on s.id_fournisseur = r.id_fournisseur
  join core.activite b on b.code = 'VENTE_MARCHANDISES'
 cross join compta._general_vue g
 cross join lateral (select sum(x.montant)::numeric as montant from achat.reception_ligne x
                      where x.id_reception = r.id_reception) m
 cross join lateral (values
   (1, 'ACHATS', g.achats, true), (2, 'RECEPTIONS', g.receptions, false)) l (rang, cas, compte, au_debit);
comment on view compta._reception_vue is 'Écriture de chaque réception.';

-- The amounts have a sign: a line of a positive amount is at the debit.
create view compta._achat_vue as
select f.jour as date, 'ACHAT'::text::compta.type_ecriture as type, f.id_achat as id_document, l.rang,
       'AC'::text::compta.journal as journal, f.numero::text as piece, l.cas::text::compta.cas as cas, l.compte,
       s.nom || ', ' || f.numero_fournisseur as libelle, l.montant > 0 as au_debit, abs(l.montant) as montant,
       f.numero_fournisseur::text as reference, f.id_activite, null::bigint as id_caisse
  from achat.facture f
  join market.fournisseur s on s.id_fournisseur = f.id_fournisseur
 cross join compta._general_vue g
 cross join lateral (
   select coalesce(sum(achat._cout(x, f.deduction) - x.frais - coalesce(x.montant_attendu, 0)), 0) as achats,
          coalesce(sum(x.frais), 0) as frais, coalesce(sum(x.montant_attendu), 0) as attendu
     from achat.facture_ligne x where x.id_achat = f.id_achat and x.id_produit is not null) m
 cross join lateral (
   select coalesce(sum(d.montant), 0)::numeric as montant from achat.taxe_deduite d
    where d.id_achat = f.id_achat and d.id_paiement is null and d.id_avoir is null) t
 cross join lateral (
   select 1 as rang, 'FOURNISSEURS' as cas, g.fournisseurs as compte, -f.montant_total::numeric as montant
   union all
   select 2, 'ACHATS', g.achats, m.achats
   union all
   select 3, 'FRAIS_ACHAT', g.frais_achat, m.frais
   union all
   select 4, 'RECEPTIONS', g.receptions, m.attendu
   union all
   select 5, 'TAXES_DEDUCTIBLES', g.taxes_deductibles, t.montant
   union all
   select 6, 'TAXES_EN_ATTENTE', g.taxes_en_attente,
          case f.deduction when 'AUCUNE' then 0 else f.montant_taxe - t.montant end
   union all
   select 10 + row_number() over (order by x.id_categorie_depense)::integer, 'DEPENSES', coalesce(c.compte, g.depenses),
          sum(achat._cout(x, f.deduction))
     from achat.facture_ligne x
     left join compta.compte c on c.cas = 'DEPENSES' and c.id_categorie_depense = x.id_categorie_depense
    where x.id_achat = f.id_achat and x.id_produit is null
    group by x.id_categorie_depense, c.compte) l
 where f.jour is not null;
comment on view compta._achat_vue is 'Écriture de chaque facture d''achat.';

create view compta._avoir_achat_vue as
select a.jour as date, 'AVOIR_ACHAT'::text::compta.type_ecriture as type, a.id_avoir as id_document, l.rang,
       'AC'::text::compta.journal as journal, a.numero::text as piece, l.cas::text::compta.cas as cas, l.compte,
       'Avoir sur ' || f.numero || ', ' || s.nom as libelle, l.montant > 0 as au_debit, abs(l.montant) as montant,
       coalesce(a.numero_fournisseur, f.numero)::text as reference, f.id_activite, null::bigint as id_caisse
  from achat.avoir a
  join achat.facture f on f.id_achat = a.id_achat
  join market.fournisseur s on s.id_fournisseur = f.id_fournisseur
 cross join compta._general_vue g
 cross join lateral (
   select coalesce(sum(d.montant), 0)::numeric as montant from achat.taxe_deduite d where d.id_avoir = a.id_avoir) t
 cross join lateral (
   select 1 as rang, 'FOURNISSEURS' as cas, g.fournisseurs as compte, a.montant_total::numeric as montant
   union all
   select 5, 'TAXES_DEDUCTIBLES', g.taxes_deductibles, t.montant
   union all
   select 6, 'TAXES_EN_ATTENTE', g.taxes_en_attente,
          case f.deduction when 'AUCUNE' then 0 else -a.montant_taxe - t.montant end
   union all
   select 10 + row_number() over (order by x.id_categorie_depense nulls first)::integer,
          case when x.id_categorie_depense is null then 'ACHATS' else 'DEPENSES' end,
          case when x.id_categorie_depense is null then g.achats else coalesce(c.compte, g.depenses) end,
          -sum(y.montant + case f.deduction when 'AUCUNE' then y.montant_taxe else 0 end)
     from achat.avoir_ligne y
     join achat.facture_ligne x on x.id_ligne = y.id_ligne
     left join compta.compte c on c.cas = 'DEPENSES' and c.id_categorie_depense = x.id_categorie_depense
    where y.id_avoir = a.id_avoir
    group by x.id_categorie_depense, c.compte) l;
comment on view compta._avoir_achat_vue is 'Écriture de chaque avoir de fournisseur.';

-- The expense of a payment says which money left, or came.
create view compta._paiement_achat_vue as
select p.jour as date, 'PAIEMENT_ACHAT'::text::compta.type_ecriture as type, p.id_paiement as id_document, l.rang,
       case when d.id_depense is null then 'OD' else compta._journal(e.compte) end as journal,
       'PAF-' || p.id_paiement as piece, l.cas::text::compta.cas as cas, l.compte,
       case when p.montant < 0 then 'Remboursement, ' else 'Paiement, ' end || s.nom as libelle,
       l.montant > 0 as au_debit, abs(l.montant) as montant, p.reference::text as reference, d.id_activite, d.id_caisse
  from achat.paiement p
  join market.fournisseur s on s.id_fournisseur = p.id_fournisseur
  left join finances.depense d on d.id_depense = p.id_depense
 cross join compta._general_vue g
  left join compta.compte k on k.cas = 'CAISSES' and k.id_caisse = d.id_caisse
  left join compta.compte m on m.cas = 'MOYENS' and m.id_moyen = p.id_moyen
 cross join lateral (
   select case when d.id_compte is not null then 'HORS_CAISSE'
               when d.id_caisse is null then 'DEPENSES_HORS_CAISSE' else 'CAISSES' end as cas,
          case when d.id_compte is not null then coalesce(m.compte, g.hors_caisse)
               when d.id_caisse is null then g.depenses_hors_caisse
               else coalesce(m.compte, k.compte, g.caisses) end as compte) e
 cross join lateral (
   select coalesce(sum(x.montant), 0)::numeric as montant, case when p.date_annulation is null then p.montant else 0 end
            as paye
     from achat.taxe_deduite x
    where x.id_paiement = p.id_paiement and x.annulation = (p.date_annulation is not null)) t
 cross join lateral (values
   (1, 'FOURNISSEURS', g.fournisseurs, t.paye::numeric), (2, e.cas, e.compte, -t.paye),
   (5, 'TAXES_DEDUCTIBLES', g.taxes_deductibles, t.montant), (6, 'TAXES_EN_ATTENTE', g.taxes_en_attente, -t.montant))
   l (rang, cas, compte, montant);
comment on view compta._paiement_achat_vue is
  'Écriture de chaque paiement de factures d''achat ; d''un paiement annulé, l''arrondi de la taxe que les autres déduisent.';

-- Each part has an alias: its twin of the past takes its place before an alias only (sql/audit/_passe.sql).
create view compta._derivee_vue as
select d.date, d.type, d.id_document, d.id_document * compta._rangs(d.type) + d.rang as id_ligne, d.journal, d.piece,
       d.cas, d.compte, d.libelle, case when d.au_debit then d.montant end as debit,
       case when not d.au_debit then d.montant end as credit, d.reference, d.id_activite, d.id_caisse
  from (select * from compta._facture_vue v
        union all select * from compta._avoir_vue v
        union all select * from compta._paiement_vue v
        union all select * from compta._depense_vue v
        union all select * from compta._caution_vue v
        union all select * from compta._paie_vue v
        union all select * from compta._virement_vue v
        union all select * from compta._stock_vue v
        union all select * from compta._operation_vue v
        union all select * from compta._resultat_vue v
        union all select * from compta._reception_vue v
        union all select * from compta._achat_vue v
        union all select * from compta._avoir_achat_vue v
        union all select * from compta._paiement_achat_vue v) d
 where d.montant > 0;
comment on view compta._derivee_vue is
  'Écritures de tous les jours, tirées des documents tels qu''ils sont, équilibrées pour chacun.';

-- Closed and open days apart: a list that has only days of one kind reads, and plans, only that half.
create view compta._figee_vue as
select e.journal, e.date, e.piece, e.compte, e.libelle, e.debit, e.credit, e.reference, e.numero, e.type, e.id_document,
       e.id_activite, e.id_caisse, e.id_ligne
  from compta.ecriture e
 where core._visible(e.id_caisse, (select core.caisse())) and core._visible(e.id_activite, (select core.activite()));
comment on view compta._figee_vue is 'Écritures des mois clôturés.';

create view compta._ouverte_vue as
select d.journal, d.date, d.piece, d.compte::compta.numero_compte as compte, d.libelle, d.debit::core.montant as debit,
       d.credit::core.montant as credit, d.reference, null::bigint as numero, d.type, d.id_document, d.id_activite,
       d.id_caisse, d.id_ligne
  from compta._derivee_vue d
 where d.date > (select compta._dernier_jour_clos())
   and core._visible(d.id_caisse, (select core.caisse())) and core._visible(d.id_activite, (select core.activite()));
comment on view compta._ouverte_vue is 'Écritures des jours qui ne sont pas clôturés.';

create view compta.ecriture_vue as
select f.* from compta._figee_vue f
union all
select o.* from compta._ouverte_vue o;
comment on view compta.ecriture_vue is
  'Écritures : celles des mois clôturés, figées, puis celles que l''on tire des documents ; celles de sa caisse ou de son activité pour un utilisateur qui en a une.';
comment on column compta.ecriture_vue.date is 'Date de gestion du document.';
comment on column compta.ecriture_vue.piece is 'Numéro de la facture, de l''avoir, du virement ou de l''opération ; sinon PAI-, DEP-, CAUTION-, PAIE-, STOCK-, REC- ou PAF-, et l''identifiant.';
comment on column compta.ecriture_vue.reference is 'Source d''une facture, facture d''un avoir, référence d''un paiement ou factures qu''il règle, justificatif d''une dépense, numéro du fournisseur d''un achat, bon de livraison d''une réception.';
comment on column compta.ecriture_vue.numero is 'Numéro sans trou d''une ligne d''un mois clôturé ; null tant qu''il est ouvert.';
comment on column compta.ecriture_vue.id_document is 'Identifiant du document, selon le type : les lignes d''une écriture ont le même.';
call core.peut_etre_null('compta.ecriture_vue', 'numero');
call core.jamais_null('compta.ecriture_vue', 'type', 'journal', 'piece', 'compte', 'libelle', 'id_document',
  'id_ligne');

-- The accounts are read only when a case has none: nearly always none is missing.
create function compta._comptes_exiger(p_du date, p_au date) returns void
language plpgsql stable as $$
declare
  v_manquants jsonb;
begin
  if not exists (select from compta.compte_vue c where c.compte is null and c.a_defaut is null) then
    return;
  end if;
  select jsonb_agg(jsonb_build_object('cas', c.cas, 'sujet', c.sujet) order by c.genre) into v_manquants
    from compta.compte_vue c
   where c.cas in (select d.cas::text from compta._derivee_vue d
                    where d.date between p_du and p_au and d.compte is null);
  if v_manquants is not null then
    perform core.refuser(409, 'COMPTE_MANQUANT',
      format('Des écritures n''ont pas de compte : donnez d''abord un compte à %s.',
             (select string_agg(format('« %s »', m ->> 'sujet'), ', ') from jsonb_array_elements(v_manquants) m)),
      jsonb_build_object('comptes', v_manquants));
  end if;
end $$;
comment on function compta._comptes_exiger is 'Refuse des jours dont une écriture n''a pas de compte.';

-- Where the documents are, without their lines: one row has one line at least. The ledger has the same conditions.
create view compta._repere_vue as
select e.date, e.type, e.id_document from compta.ecriture e
union all
select r.date, r.type, r.id_document
  from (select f.jour as date, 'FACTURE'::compta.type_ecriture as type, f.id_facture as id_document
          from facturation.facture f
         where facturation._montant_facture(f) > 0
        union all
        select a.jour, 'AVOIR', a.id_avoir from facturation.avoir a
        union all
        select p.jour, 'PAIEMENT', p.id_paiement from finances.paiement p
        union all
        select d.jour, 'DEPENSE', d.id_depense from finances.depense d
         where d.date_annulation is null
           and not exists (select from achat.paiement p where p.id_depense = d.id_depense)
        union all
        select c.date_restitution, 'CAUTION', c.id_caution
          from residence.caution c where c.retenue > 0 and residence._caution_encaissee(c.id_caution)
        union all
        select s.jour, 'PAIE', s.id_paie
          from rh.paie s where s.statut in ('VALIDEE', 'PAYEE') and s.salaire_base + s.total_elements > 0
        union all
        select v.jour, 'VIREMENT'::text::compta.type_ecriture, v.id_virement from tresorerie.virement v
        union all
        select m.jour, 'STOCK'::text::compta.type_ecriture, m.id_mouvement
          from market.mouvement_stock m where m.valeur <> 0
        union all
        select o.jour, case when o.ouverture then 'A_NOUVEAU' else 'OPERATION' end::compta.type_ecriture, o.id_operation
          from compta.operation o
        union all
        select r.date, 'RECEPTION'::text::compta.type_ecriture, r.id_reception from achat.reception r
         where exists (select from achat.reception_ligne l where l.id_reception = r.id_reception and l.montant > 0)
        union all
        select f.jour, 'ACHAT'::text::compta.type_ecriture, f.id_achat from achat.facture f where f.jour is not null
        union all
        select a.jour, 'AVOIR_ACHAT'::text::compta.type_ecriture, a.id_avoir from achat.avoir a
         where a.montant_total > 0
        union all
        select p.jour, 'PAIEMENT_ACHAT'::text::compta.type_ecriture, p.id_paiement from achat.paiement p
         where p.date_annulation is null and p.montant <> 0
            or (select sum(t.montant) from achat.taxe_deduite t
                 where t.id_paiement = p.id_paiement and t.annulation = (p.date_annulation is not null)) <> 0) r
 where r.date > (select compta._dernier_jour_clos());
comment on view compta._repere_vue is 'Place de chaque document dans l''ordre des écritures.';
