-- Money by day and activity, for every summary. Payments and expenses up to core.resume_etat are read from their sums,
-- and later ones one by one, in the same snapshot. The figures are exact at every moment, even if the job has not run.

create view finances.paiement_jour_vue as
select r.jour, r.id_activite, r.id_caisse, r.id_utilisateur, r.encaissements, r.decaissements, r.nombre
  from finances.resume_paiement r
 where core._visible(r.id_caisse, (select core.caisse()))
   and core._visible(r.id_activite, (select core._activite_sans_caisse()))
union all
select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur,
       coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0)::core.somme,
       coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0)::core.somme, count(*)
  from finances._paiement_recent_vue p
 where core._visible(p.id_caisse, (select core.caisse()))
   and core._visible(p.id_activite, (select core._activite_sans_caisse()))
 group by p.jour, p.id_activite, p.id_caisse, p.id_utilisateur;
comment on view finances.paiement_jour_vue is
  'Paiements par jour, activité, caisse et utilisateur, en plusieurs lignes à additionner ; ceux de sa caisse ou de son activité pour un utilisateur qui en a une.';
comment on column finances.paiement_jour_vue.nombre is 'Nombre de paiements, dans les deux sens.';

-- The only definition of these sums: every report adds up these columns (docs/dba.md).
-- Both parts have the same types, so that PostgreSQL reads them without a conversion of each row.
create view finances.mouvement_jour_vue as
select m.jour, m.id_activite, m.id_caisse, m.encaissements, m.decaissements, m.depenses,
       (m.decaissements + m.depenses)::core.somme as sorties,
       (m.encaissements - m.decaissements - m.depenses)::core.somme as solde
  from (select e.jour, e.id_activite, e.id_caisse, e.encaissements, e.decaissements, 0::core.somme as depenses
          from finances.paiement_jour_vue e
        union all
        select d.jour, d.id_activite, d.id_caisse, 0::core.somme, 0::core.somme, d.montant
          from finances._depense_jour_vue d
         where core._visible(d.id_caisse, (select core.caisse()))
           and core._visible(d.id_activite, (select core._activite_sans_caisse()))) m;
comment on view finances.mouvement_jour_vue is
  'L''argent par jour, activité et caisse, en plusieurs lignes à additionner : ce que disent les mots encaissements, décaissements, dépenses, sorties et solde dans tous les rapports ; ceux de sa caisse ou de son activité pour un utilisateur qui en a une.';
comment on column finances.mouvement_jour_vue.id_activite is 'Null pour ce qui n''est rattaché à aucune activité.';
comment on column finances.mouvement_jour_vue.encaissements is 'Paiements reçus ; les recettes sont le même mot.';
comment on column finances.mouvement_jour_vue.decaissements is 'Paiements rendus ou versés : remboursements, cautions, salaires.';
comment on column finances.mouvement_jour_vue.depenses is 'Dépenses qui tiennent, sans les supprimées.';
comment on column finances.mouvement_jour_vue.sorties is 'Tout l''argent sorti : décaissements et dépenses.';
comment on column finances.mouvement_jour_vue.solde is 'Encaissements − sorties.';
