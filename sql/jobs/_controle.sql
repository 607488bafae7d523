-- The invariants of money and of the journal. `comptoir` checks them after a restore (app/vault/restoration.py).

create function jobs._controle_journal() returns setof text
language sql stable
begin atomic
  select case when r.id_apres is null
              then format('La ligne %s de %s.%s n''est pas ce que dit sa dernière entrée au journal, %s.',
                          r.entite_id, r.module, r.entite, r.id_avant)
              else format('Les entrées %s et %s du journal, de la ligne %s de %s.%s, ne se suivent pas.',
                          r.id_avant, r.id_apres, r.entite_id, r.module, r.entite) end
         || ' docs/dba.md, « Le journal se suit ».'
    from audit._ruptures() r;
end;
comment on function jobs._controle_journal is 'Les entrées du journal d''une ligne se suivent jusqu''à elle.';

-- The name of a check and a sentence for each row that breaks it. `comptoir` accepts the name (« --malgre »).
create view jobs._controle_vue as
(select 'facture_payee' as controle,
        format('La facture %s porte montant_paye %s, ses paiements font %s.', f.numero, f.montant_paye,
               coalesce(sum(a.montant), 0)) as message
   from facturation.facture f
   left join finances.imputation_vue a on a.id_facture = f.id_facture
  group by f.id_facture
 having f.montant_paye <> coalesce(sum(a.montant), 0)
  order by f.id_facture)
union all
(select 'paiement_applique',
        format('Le paiement %s (%s) est de %s, il règle %s.', p.id_paiement, p.type, p.montant, sum(a.montant))
   from finances.imputation_vue a
   join finances.paiement p on p.id_paiement = a.id_paiement
  group by p.id_paiement
 having not finances._applicable(p.type, p.montant, sum(a.montant))
  order by p.id_paiement)
union all
(select 'paiement_rendu',
        format('Le paiement %s est de %s, %s en sont rendus et %s appliqués.', o.id_paiement, o.montant,
               sum(p.montant), sum(p.applique))
   from (select coalesce(p.id_paiement_origine, p.id_paiement) as id,
                case when p.id_paiement_origine is null then 0 else finances._sortie(p) end as montant,
                (select coalesce(sum(a.montant), 0) from finances.imputation_vue a
                  where a.id_paiement = p.id_paiement) as applique
           from finances.paiement p) p
   join finances.paiement o on o.id_paiement = p.id and o.type = 'ENCAISSEMENT'
  group by o.id_paiement
 having sum(p.montant) > 0 and sum(p.montant) + sum(p.applique) not between sum(p.montant) and o.montant
  order by o.id_paiement)
union all
(select 'paiement_sur_facture',
        format('Le paiement %s règle la facture %s de %s.', coalesce(p.id_paiement_origine, p.id_paiement), f.numero,
               sum(a.montant))
   from finances.imputation_vue a
   join finances.paiement p on p.id_paiement = a.id_paiement
   join facturation.facture f on f.id_facture = a.id_facture
  group by coalesce(p.id_paiement_origine, p.id_paiement), f.id_facture
 having sum(a.montant) < 0
  order by 2)
union all
(select 'paiement_annule', format('Le paiement %s est annulé, mais rendu de %s sur %s.', o.id_paiement,
                                  finances._paiement_rendu(o.id_paiement), o.montant)
   from finances.paiement c join finances.paiement o on o.id_paiement = c.id_paiement_origine
  group by o.id_paiement
 having bool_or(c.annulation) and finances._paiement_rendu(o.id_paiement) <> o.montant
  order by o.id_paiement)
union all
(select 'comptage',
        format('Le comptage %s de la caisse %s attend %s, son cumul avance de %s.', t.id_tirage, t.id_caisse,
               t.montant_attendu, t.avance)
   from (select t.*, t.cumul - case when lag(t.id_tirage) over w is null then 0 else lag(t.cumul) over w end as avance
           from finances.tirage t window w as (partition by t.id_caisse order by t.id_tirage)) t
  where t.montant_attendu <> t.avance
    and (t.id_tirage > (select min(d.id_tirage) from finances.tirage d
                         where d.id_caisse = t.id_caisse and d.cumul is not null)
         or not exists (select from finances.tirage d where d.id_caisse = t.id_caisse and d.id_tirage < t.id_tirage))
  order by t.id_tirage)
union all
(select 'sejour_termine',
        format('Le séjour %s est TERMINE, son client n''est pas parti et il reste %s à payer.', s.id_sejour, r.reste)
   from residence.sejour_court s
  cross join lateral (select residence._sejour_reste(s) as reste) r
  where s.statut = 'TERMINE' and s.date_heure_depart_reelle is null and r.reste > 0
  order by s.id_sejour)
union all
(select 'facture_lignes',
        format('La facture %s porte montant_total %s, ses lignes moins la remise font %s.', f.numero, f.montant_total,
               coalesce(sum(l.total), 0) - f.remise + case f.mode_prix when 'HT' then f.montant_taxe else 0 end)
   from facturation.facture f
   left join facturation.facture_ligne l on l.id_facture = f.id_facture
  group by f.id_facture
 having f.montant_total <> coalesce(sum(l.total), 0) - f.remise
                           + case f.mode_prix when 'HT' then f.montant_taxe else 0 end
  order by f.id_facture)
union all
(select 'facture_solde',
        format('La facture %s porte un reste de %s et l''état %s, ses sommes font %s et %s.', f.numero, f.reste,
               f.statut, facturation._reste(f.annulee, x.du, x.recu), facturation._statut(f.annulee, x.du, x.recu))
   from facturation.facture f
  cross join lateral (select f.montant_total - f.montant_avoirs as du, f.montant_paye - f.montant_credit as recu) x
  where f.reste <> facturation._reste(f.annulee, x.du, x.recu)
     or f.statut <> facturation._statut(f.annulee, x.du, x.recu)
  order by f.id_facture)
union all
(select 'ligne_total',
        format('La ligne %s de la facture %s porte %s, quantité × prix font %s.', l.id_ligne, l.id_facture, l.total,
               round(l.quantite * l.prix_unitaire, 2))
   from facturation.facture_ligne l
  where l.total <> round(l.quantite * l.prix_unitaire, 2)
  order by l.id_ligne)
union all
(select 'taxes', format('La facture %s porte montant_taxe %s, ses lignes font %s.', f.numero, f.montant_taxe,
                        coalesce(sum(x.montant), 0))
   from facturation.facture f
   left join facturation.facture_ligne_taxe x on x.id_facture = f.id_facture
  where f.mode_prix is not null
  group by f.id_facture
 having f.montant_taxe <> coalesce(sum(x.montant), 0)
 union all
 select 'taxes', format('L''avoir %s porte montant_taxe %s, ses lignes font %s.', a.numero, a.montant_taxe,
                        coalesce(sum(l.montant_taxe), 0))
   from facturation.avoir a
   left join facturation.avoir_ligne l on l.id_avoir = a.id_avoir
  group by a.id_avoir
 having a.montant_taxe <> coalesce(sum(l.montant_taxe), 0))
union all
(select 'facture_avoirs',
        format('La facture %s porte %s d''avoirs et %s de crédit, ses avoirs font %s et %s.', f.numero,
               f.montant_avoirs, f.montant_credit, coalesce(a.total, 0), coalesce(a.credit, 0))
   from facturation.facture f
   left join (select x.id_facture, sum(x.montant_total) as total,
                     sum((select sum(m.montant) from finances.mouvement_credit m
                           where m.id_avoir = x.id_avoir)) as credit
                from facturation.avoir x group by x.id_facture) a on a.id_facture = f.id_facture
  where f.montant_avoirs <> coalesce(a.total, 0) or f.montant_credit <> coalesce(a.credit, 0)
     or f.montant_paye - f.montant_credit > f.montant_total - f.montant_avoirs
  order by f.id_facture)
union all
(select 'avoir_lignes', format('L''avoir %s porte montant_total %s, ses lignes font %s.', a.numero, a.montant_total,
                               coalesce(sum(l.montant), 0))
   from facturation.avoir a
   left join facturation.avoir_ligne l on l.id_avoir = a.id_avoir
  group by a.id_avoir
 having a.montant_total <> coalesce(sum(l.montant), 0)
  order by a.id_avoir)
union all
(select 'credit', format('Le crédit du client %s est de %s.', m.id_client, sum(m.montant))
   from finances.mouvement_credit m group by m.id_client having sum(m.montant) < 0
 union all
 select 'credit', format('Le paiement %s puise %s au crédit, son mouvement est de %s.', p.id_paiement, p.montant,
                         coalesce(m.montant, 0))
   from finances.paiement p
   left join finances.mouvement_credit m on m.id_paiement = p.id_paiement and m.id_avoir is null
  where p.credit and coalesce(abs(m.montant), 0) <> p.montant
  order by 2)
union all
-- The numbers of a year are unique. None is missing if their count equals both the largest number and the counter.
(with numeros as (
   select 'FAC' as type, f.numero from facturation.facture f
   union all
   select 'AVO', a.numero from facturation.avoir a
   union all
   select 'VIR', v.numero from tresorerie.virement v
   union all
   select 'OPE', o.numero from compta.operation o
   union all
   select 'ACH', a.numero from achat.facture a where a.numero is not null
   union all
   select 'AVA', a.numero from achat.avoir a
 ), series as (
   select n.type, substring(n.numero from '-[A-Z]+-([0-9]+)-[0-9]+$')::integer as annee, count(*) as nombre,
          max(substring(n.numero from '[0-9]+$')::bigint) as dernier
     from numeros n group by 1, 2)
 select 'numeros', format('Les %s de %s sont %s, la dernière pièce porte le numéro %s, le compteur en a donné %s.',
                          case coalesce(s.type, c.type) when 'FAC' then 'factures' when 'AVO' then 'avoirs'
                                                        when 'ACH' then 'factures d''achat'
                                                        when 'AVA' then 'avoirs des fournisseurs'
                                                        when 'OPE' then 'opérations' else 'virements' end,
                          coalesce(s.annee, c.annee), coalesce(s.nombre, 0), coalesce(s.dernier, 0),
                          coalesce(c.valeur, 0))
   from series s
   full join (select * from core.compteur where type in ('FAC', 'AVO', 'VIR', 'OPE', 'ACH', 'AVA')) c
     on c.type = s.type and c.annee = s.annee
  where s.nombre is distinct from s.dernier or coalesce(s.nombre, 0) <> coalesce(c.valeur, 0)
  order by 2)
union all
(select 'echeance_payee',
        format('L''échéance %s/%s du contrat %s porte montant_paye %s, sa facture %s.',
               e.mois, e.annee, c.numero_contrat, e.montant_paye, coalesce(f.montant_paye - f.montant_credit, 0))
   from residence.echeance e
   join residence.contrat_location c on c.id_contrat = e.id_contrat
   left join facturation.facture f on f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee
  where e.montant_paye <> coalesce(f.montant_paye - f.montant_credit, 0)
  order by e.id_echeance)
union all
(select 'echeance_montant', format('L''échéance %s/%s du contrat %s est de %s, sa facture de %s.',
                                   e.mois, e.annee, c.numero_contrat, e.montant, f.montant_total - f.montant_avoirs)
   from residence.echeance e
   join residence.contrat_location c on c.id_contrat = e.id_contrat
   join facturation.facture f on f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee
  where e.montant <> f.montant_total - f.montant_avoirs
  order by e.id_echeance)
union all
(select 'paie_payee', format('Le bulletin %s de %s (%s) porte %s à payer, son décaissement %s.',
                             b.periode, e.code, b.statut, b.montant_a_payer, coalesce(p.montant, 0))
   from rh.paie b
   join rh.employe e on e.id_employe = b.id_employe
   left join finances.paiement p on p.id_paiement = b.id_paiement and p.type = 'DECAISSEMENT'
  where b.statut = 'PAYEE' and b.montant_a_payer <> coalesce(p.montant, 0)
  order by b.id_paie)
union all
(select 'stock', format('Le produit %s porte quantite_stock %s, ses mouvements font %s.',
                        p.reference, p.quantite_stock, coalesce(sum(m.delta), 0))
   from market.produit p
   left join market.mouvement_stock m on m.id_produit = p.id_produit
  group by p.id_produit
 having p.quantite_stock <> coalesce(sum(m.delta), 0)
  order by p.id_produit)
union all
(select 'stock_valeur', format('Le stock du produit %s, %s unités, porte valeur_stock %s, ses mouvements font %s.',
                               p.reference, p.quantite_stock, p.valeur_stock, coalesce(sum(m.valeur), 0))
   from market.produit p
   left join market.mouvement_stock m on m.id_produit = p.id_produit
  group by p.id_produit
 having p.valeur_stock <> coalesce(sum(m.valeur), 0) or p.valeur_stock < 0
     or p.quantite_stock = 0 and p.valeur_stock <> 0
  order by p.id_produit)
union all
(select 'achat',
        format('La facture d''achat %s porte %s payés et %s d''avoirs, ses documents font %s et %s.', f.numero,
               f.montant_paye, f.montant_avoirs, r.montant, a.montant)
   from achat.facture f
  cross join lateral (select coalesce(sum(x.montant), 0) as montant from achat.reglement_achat_vue x
                       where x.id_achat = f.id_achat and x.date_annulation is null) r
  cross join lateral (select coalesce(sum(x.montant_total), 0) as montant from achat.avoir x
                       where x.id_achat = f.id_achat) a
  where (f.montant_paye, f.montant_avoirs) is distinct from (r.montant, a.montant)
  order by f.id_achat)
union all
(select 'achat_paye', format('Le paiement %s d''achats est de %s, sa dépense de %s, et il règle %s.', p.id_paiement,
                             p.montant, d.montant, a.montant)
   from achat.paiement p
   left join finances.depense d on d.id_depense = p.id_depense
  cross join lateral (select coalesce(sum(x.montant), 0) as montant from achat.application x
                       where x.id_paiement = p.id_paiement) a
  where p.montant <> a.montant or p.montant <> coalesce(d.montant, 0)
     or p.id_depense is not null and p.date_annulation is distinct from d.date_annulation
  order by p.id_paiement)
union all
(select 'depense_negative', format('La dépense %s, de %s, n''est pas ce que rend un fournisseur.', d.id_depense,
                                   d.montant)
   from finances.depense d
  where d.montant < 0 and not exists (select from achat.paiement p where p.id_depense = d.id_depense)
  order by d.id_depense)
union all
(select 'commande_payee',
        format('%s %s (%s) porte un total de %s, réglé %s.', s.source_type, s.id, s.statut, s.total + r.taxe,
               r.montant)
   from (select 'VENTE'::facturation.source_type as source_type, v.id_vente as id, v.statut::text as statut, v.total,
                0 as couvert
           from market.vente v where v.statut in ('PAYEE', 'ANNULEE')
         union all
         select 'COMMANDE_RESTAURANT', c.id_commande, c.statut::text, c.total - c.montant_couvert, c.montant_couvert
           from restaurant.commande c where c.montant_couvert is not null) s
   left join facturation.facture f on f.source_type = s.source_type and f.source_id = s.id and not f.annulee
  cross join lateral (
    select coalesce(f.montant_paye - f.montant_credit + f.montant_avoirs, 0) as montant,
           case f.mode_prix when 'HT' then f.montant_taxe else 0 end as taxe) r
  where case s.statut when 'ANNULEE' then f.id_facture is not null
             -- An order that was served first has an invoice of its whole price: a credit note takes what units pay.
             else r.montant not in (s.total + r.taxe, s.total + r.taxe + case when f.montant_avoirs >= s.couvert
                                                                              then s.couvert else 0 end) end
  order by s.source_type, s.id)
union all
(select 'abonnement', format('L''abonnement %s (%s) a un solde de %s, sa facture %s est à l''état %s.',
                             s.id_souscription, s.statut, s.quota + coalesce(sum(m.quantite), 0), f.numero, f.statut)
   from abonnement.souscription s
   join facturation.facture f on f.id_facture = s.id_facture
   left join abonnement.mouvement m on m.id_souscription = s.id_souscription
  group by s.id_souscription, f.id_facture
 having s.quota + coalesce(sum(m.quantite), 0) < 0 or (s.statut = 'ANNULEE') <> f.annulee
  order by s.id_souscription)
union all
(select 'abonnement_rendu', format('Le mouvement d''abonnement %s (%s) de %s a pour contrepartie %s.',
                                   m.id_mouvement, m.type, m.quantite, coalesce(r.quantite::text, 'rien'))
   from abonnement.mouvement m
   left join abonnement.mouvement r on r.id_mouvement_origine = m.id_mouvement
   left join restaurant.commande c on c.id_commande = m.id_commande_restaurant
   left join pressing.commande p on p.id_commande = m.id_commande_pressing
  where case m.type when 'REPORT_SORTANT' then r.quantite is distinct from -m.quantite
                    when 'CONSOMMATION' then r.quantite is distinct from
                      case when 'ANNULEE' in (c.statut::text, p.statut::text) then -m.quantite end
                    else false end
  order by m.id_mouvement)
union all
(select 'resume',
        format(
          'Le %s, activité %s, caisse %s, utilisateur %s : le résumé et les paiements diffèrent de %s reçus, %s rendus, %s paiements.',
          d.jour, coalesce(d.id_activite::text, '-'), coalesce(d.id_caisse::text, '-'),
          coalesce(d.id_utilisateur::text, '-'), sum(d.recu), sum(d.rendu), sum(d.nombre))
   from (select r.jour, r.id_activite, r.id_caisse, r.id_utilisateur, r.encaissements as recu,
                r.decaissements as rendu, r.nombre
           from finances.resume_paiement r
         union all
         select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur,
                case p.type when 'ENCAISSEMENT' then -p.montant else 0 end,
                case p.type when 'DECAISSEMENT' then -p.montant else 0 end, -1
           from finances.paiement p
          where not p.credit
            and p.id_paiement <= (select e.jusqu_a from core.resume_etat e where e.entite = 'finances.paiement')) d
  group by d.jour, d.id_activite, d.id_caisse, d.id_utilisateur
 having sum(d.recu) <> 0 or sum(d.rendu) <> 0 or sum(d.nombre) <> 0
  order by d.jour)
union all
(select 'resume_moyen', format('Le %s, moyen %s, activité %s : le résumé et les paiements hors caisse diffèrent de %s.',
                               x.jour, x.id_moyen, coalesce(x.id_activite::text, '-'), sum(x.montant))
   from (select r.jour, r.id_moyen, r.id_activite, r.montant from finances.resume_moyen r
         union all
         select p.jour, p.id_moyen, p.id_activite, finances._sortie(p)
           from finances.paiement p
          where not p.credit and p.id_caisse is null
            and p.id_paiement <= (select e.jusqu_a from core.resume_etat e where e.entite = 'finances.paiement')) x
  group by x.jour, x.id_moyen, x.id_activite
 having sum(x.montant) <> 0
  order by x.jour)
union all
(select 'resume_facture',
        format('Le %s, activité %s : le résumé et les pièces diffèrent de %s factures, %s de facturé, %s d''avoirs.',
               d.jour, coalesce(d.id_activite::text, '-'), sum(d.nombre), sum(d.factures), sum(d.avoirs))
   from (select r.jour, r.id_activite, r.nombre, r.factures, r.avoirs from facturation.resume_facture r
         union all
         select f.jour, f.id_activite, -(not f.annulee)::integer, -facturation._montant_facture(f), 0
           from facturation.facture f
          where f.id_facture <= (select e.jusqu_a from core.resume_etat e where e.entite = 'facturation.facture')
         union all
         select a.jour, a.id_activite, 0, 0, -a.montant_total from facturation.avoir a) d
  group by d.jour, d.id_activite
 having sum(d.nombre) <> 0 or sum(d.factures) <> 0 or sum(d.avoirs) <> 0
  order by d.jour)
union all
(select 'resume_depense', format('Le %s, activité %s, caisse %s : le résumé et les dépenses diffèrent de %s.', x.jour,
                                 coalesce(x.id_activite::text, '-'), coalesce(x.id_caisse::text, '-'), sum(x.montant))
   from (select r.jour, r.id_activite, r.id_caisse, r.montant from finances.resume_depense r
         union all
         select d.jour, d.id_activite, d.id_caisse, -d.montant
           from finances.depense d
          where d.date_annulation is null
            and d.id_depense <= (select e.jusqu_a from core.resume_etat e where e.entite = 'finances.depense')) x
  group by x.jour, x.id_activite, x.id_caisse
 having sum(x.montant) <> 0
  order by x.jour)
union all
(select 'resume_application',
        format('Le %s, source %s : le résumé et les applications de paiement diffèrent de %s.', x.jour, x.source_type,
               sum(x.montant))
   from (select r.jour, r.source_type, r.montant from finances.resume_application r
         union all
         select p.jour, f.source_type, -a.montant
           from finances.imputation_vue a
           join finances.paiement p on p.id_paiement = a.id_paiement
           join facturation.facture f on f.id_facture = a.id_facture
          where not p.credit and coalesce(a.id_application, a.id_paiement) <= (
                  select e.jusqu_a from core.resume_etat e
                   where e.entite = case when a.id_application is null then 'finances.paiement'
                                         else 'finances.application_paiement' end)) x
  group by x.jour, x.source_type
 having sum(x.montant) <> 0
  order by x.jour)
union all
(select 'resume_impaye',
        format('%s du %s, activité %s : le résumé et ce qui reste dû diffèrent de %s pièces, %s.',
               case when d.loyer then 'Loyers' else 'Factures' end, d.jour, coalesce(d.id_activite::text, '-'),
               sum(d.nombre), sum(d.reste))
   from (select r.* from rapports._impaye_jour_vue r
         union all
         select l.loyer, l.jour, l.id_activite, l.entame, -1, -l.reste from rapports._impaye_ligne_vue l) d
  where rapports._impayes_resumes()
  group by d.loyer, d.jour, d.id_activite, d.entame
 having sum(d.nombre) <> 0 or sum(d.reste) <> 0
  order by d.loyer, d.jour)
union all
-- The jobs run every hour. The time of writing comes from the journal, because a payment may have an earlier date.
(select 'resume_avance',
        format(
          'Le résumé des %ss n''avance plus : %s %s, au journal le %s, n''y est pas. Voyez pourquoi la tâche « resumer-%ss » échoue ou ne part pas.',
          substr(r.mot, 4), r.mot, r.entite_id,
          to_char(j.date_heure at time zone core.fuseau(), 'DD/MM/YYYY à HH24:MI'), r.entite)
   from (select 'finances' as module, 'paiement' as entite, 'le paiement' as mot,
                min(p.id_paiement)::text as entite_id
           from finances._paiement_recent_vue p
         union all
         select 'facturation', 'facture', 'la facture', min(f.id_facture)::text
           from facturation._facture_recente_vue f
         union all
         select 'finances', 'depense', 'la dépense', min(d.id_depense)::text from finances._depense_recente_vue d) r
   join audit.journal j on j.module = r.module and j.entite = r.entite and j.entite_id = r.entite_id
  where j.operation = 'INSERT' and j.date_heure < now() - interval '3 hours')
union all
(select 'cloture', format('Le mois clôturé %s n''a plus ses écritures telles qu''à sa clôture.', p.periode)
   from compta.periode p where not compta._periode_intacte(p.periode)
  order by p.periode)
union all
(select 'cumul', format('Le mois clôturé %s porte %s au débit et %s au crédit du compte %s, ses lignes font %s et %s.',
                        coalesce(c.periode, e.periode), coalesce(c.debit, 0), coalesce(c.credit, 0),
                        coalesce(c.compte, e.compte), coalesce(e.debit, 0), coalesce(e.credit, 0))
   from compta.cumul c
   full join (select to_char(e.date, 'YYYY-MM') as periode, e.journal, e.type, e.compte, e.id_activite, e.id_caisse,
                     count(*) as nombre, coalesce(sum(e.debit), 0) as debit, coalesce(sum(e.credit), 0) as credit
                from compta.ecriture e group by 1, 2, 3, 4, 5, 6) e
     on (e.periode, e.journal, e.type, e.compte, coalesce(e.id_activite, 0), coalesce(e.id_caisse, 0))
      = (c.periode::text, c.journal, c.type, c.compte, coalesce(c.id_activite, 0), coalesce(c.id_caisse, 0))
  where (c.nombre, c.debit, c.credit) is distinct from (e.nombre, e.debit, e.credit)
  order by 2)
union all
select 'journal', c from jobs._controle_journal() c;
comment on view jobs._controle_vue is 'Chaque écart de l''argent et du journal, et le contrôle qui l''a trouvé.';

-- PL/pgSQL caches the plan.
create function jobs._controler_par_nom() returns table (controle text, message text)
language plpgsql stable as $$
begin
  return query select v.controle, v.message from jobs._controle_vue v;
end $$;
comment on function jobs._controler_par_nom is
  'Chaque écart de l''argent et du journal, avec le nom du contrôle qui l''a trouvé, que « --malgre » accepte ; rien quand tout tombe juste.';

create function jobs._controler() returns setof text
language sql stable
begin atomic
  select c.message from jobs._controler_par_nom() c;
end;
comment on function jobs._controler is 'Chaque écart de l''argent et du journal, une phrase par écart ; rien quand tout tombe juste.';
