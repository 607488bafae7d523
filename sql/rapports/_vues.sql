-- The views for people in psql (comptoir_lecture) and for the reports.

create view rapports.mouvement_jour_vue as
select m.jour, m.id_activite, coalesce(a.code, 'SANS_ACTIVITE')::text as code,
       coalesce(a.libelle, 'Sans activité')::text as libelle, m.encaissements, m.decaissements, m.depenses, m.sorties,
       m.solde
  from finances.mouvement_jour_vue m
  left join core.activite a on a.id_activite = m.id_activite;
comment on view rapports.mouvement_jour_vue is
  'Argent par jour et par activité, en plusieurs lignes à additionner ; finances.mouvement_jour_vue dit ce que chaque mot veut dire.';

create view rapports.paiement_vue as
select p.id_paiement as id, p.date, p.jour, p.type, p.montant, p.reference, p.motif,
       a.libelle::text as activite_libelle, m.libelle::text as moyen_libelle
  from finances.paiement p
  join finances.moyen_paiement m on m.id_moyen = p.id_moyen
  left join core.activite a on a.id_activite = p.id_activite
 where not p.credit
   and core._visible(p.id_caisse, (select core.caisse()))
   and core._visible(p.id_activite, (select core.activite()));
comment on view rapports.paiement_vue is 'Argent reçu et rendu, avec son activité et son moyen ; ce qui puise dans le crédit d''un client n''y est pas.';

create view rapports.depense_vue as
select d.id_depense as id, d.date, d.jour, d.montant, d.libelle, d.justificatif, c.libelle::text as categorie_libelle
  from finances.depense d
  join finances.categorie_depense c on c.id_categorie_depense = d.id_categorie_depense
 where d.date_annulation is null
   and core._visible(d.id_caisse, (select core.caisse()))
   and core._visible(d.id_activite, (select core.activite()));
comment on view rapports.depense_vue is 'Dépenses qui tiennent, avec leur catégorie.';

create view rapports.impaye_vue as
select i.* from finances.impaye_vue i;
comment on view rapports.impaye_vue is 'Ce que les clients doivent encore.';

create view rapports.facture_jour_vue as
select f.jour, f.id_activite, f.nombre, f.chiffre_affaires as montant, f.montant_factures, f.montant_avoirs
  from facturation.facture_jour_vue f;
comment on view rapports.facture_jour_vue is 'Chiffre d''affaires par jour et par activité : factures émises, moins les avoirs.';

create view rapports.pointage_jour_vue as
select p.date as jour, p.statut, count(*) as nombre, coalesce(sum(p.heures_sup), 0)::core.somme as heures_sup,
       coalesce(sum(p.duree_travaillee), 0)::core.somme as duree
  from rh.pointage p
 group by p.date, p.statut;
comment on view rapports.pointage_jour_vue is 'Présences par jour et par état.';

create view rapports.paie_mois_vue as
select p.periode, p.statut, count(*) as nombre, sum(p.montant_a_payer)::core.somme as net
  from rh.paie p
 group by p.periode, p.statut;
comment on view rapports.paie_mois_vue is 'Bulletins de paie par mois et par état.';

create function rapports._recettes(p_code text, p_du date, p_au date) returns numeric
language sql stable
return (select coalesce(sum(m.encaissements), 0) from finances.mouvement_jour_vue m
         where m.jour between p_du and p_au
           and m.id_activite = (select a.id_activite from core.activite a where a.code = p_code));
comment on function rapports._recettes is 'Encaissements d''une activité.';

create function rapports._chiffre_affaires(p_code text, p_du date, p_au date) returns numeric
language sql stable
return (select coalesce(sum(f.chiffre_affaires), 0) from facturation.facture_jour_vue f
         where f.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity')
           and f.id_activite = (select a.id_activite from core.activite a where a.code = p_code));
comment on function rapports._chiffre_affaires is 'Chiffre d''affaires d''une activité.';
