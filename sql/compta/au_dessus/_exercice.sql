-- The years since the first closed month. Each year opens with the balances of the year before it.

create view compta.exercice_annuel_vue as
select a.annee::integer as annee, make_date(a.annee, 1, 1) as du, make_date(a.annee, 12, 31) as au,
       x.annee is not null as clos,
       case when x.annee is not null then (
         select coalesce(sum(coalesce(e.debit, -e.credit)), 0) from compta.ecriture e
          where e.date = make_date(x.annee, 12, 31) and e.type = 'RESULTAT'::text::compta.type_ecriture
            and compta._de_resultat(e.compte)) end::core.somme as resultat,
       x.date_cloture, x.id_utilisateur, u.login::text as login
  from generate_series(
         (select extract(year from least(min(p.dernier_jour), core.aujourdhui()))::integer from compta.periode p),
         extract(year from core.aujourdhui())::integer) b (annee)
  full join compta.exercice_clos x on x.annee = b.annee
 cross join lateral (select coalesce(b.annee, x.annee) as annee) a
  left join auth.utilisateur u on u.id_utilisateur = x.id_utilisateur;
comment on view compta.exercice_annuel_vue is 'Exercices, clôturés ou non.';
comment on column compta.exercice_annuel_vue.clos is 'Vrai d''un exercice clôturé : rien ne change plus dans son année.';
comment on column compta.exercice_annuel_vue.resultat is 'Bénéfice, négatif d''une perte ; null tant que l''exercice n''est pas clôturé.';
comment on column compta.exercice_annuel_vue.login is 'Login de qui a clôturé.';
call core.jamais_null('compta.exercice_annuel_vue', 'annee', 'du', 'au', 'clos');
call core.peut_etre_null('compta.exercice_annuel_vue', 'resultat', 'date_cloture', 'id_utilisateur', 'login');
