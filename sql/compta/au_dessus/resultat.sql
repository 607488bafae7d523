create view compta._partie_vue as
with recursive p as (
  select l.etat, l.code, l.code as partie from compta.etat_ligne l
  union all
  select p.etat, p.code, x.partie
    from p join compta.etat_ligne l on l.etat = p.etat and l.code = p.partie
   cross join unnest(l.parties) as x (partie)
)
select p.etat, p.code, p.partie from p;
comment on view compta._partie_vue is 'Lignes dont une ligne d''un état est la somme, elle-même comprise.';

create function compta._ligne_du_compte(p_etat compta.etat, p_compte text) returns compta.etat_compte
language sql stable
return (select c from compta.etat_compte c
         where c.etat = p_etat and starts_with(p_compte, c.prefixe)
         order by length(c.prefixe) desc limit 1);
comment on function compta._ligne_du_compte is 'Ligne d''un état où va un compte.';

create type compta.ligne_de_resultat as (
  code text, libelle text, montant core.somme, montant_precedent core.somme, comptes text[]);
comment on type compta.ligne_de_resultat is 'Une ligne du compte de résultat.';
comment on column compta.ligne_de_resultat.code is 'Référence du SYSCOHADA révisé.';
comment on column compta.ligne_de_resultat.montant is 'Positif d''un produit ou d''un bénéfice, négatif d''une charge ou d''une perte.';
comment on column compta.ligne_de_resultat.montant_precedent is 'Montant de la même période un an avant.';
comment on column compta.ligne_de_resultat.comptes is 'Comptes que la ligne additionne, dont le grand livre s''ouvre ; aucun d''une somme de lignes.';

create function compta.resultat(p_du date default null, p_au date default null, p_id_activite bigint default null)
returns setof compta.ligne_de_resultat
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with j as (
    select x.du, x.au, compta._an_avant(x.du) as du_avant, compta._an_avant(x.au) as au_avant
      from (select core.premier_jour(p_du, p_au) as du, coalesce(p_au, core.aujourdhui()) as au) x
  ), c as materialized (
    select s.compte, (compta._ligne_du_compte('RESULTAT', s.compte)).code_debit as code,
           sum(s.credit - s.debit) filter (where s.depuis >= j.du) as montant,
           sum(s.credit - s.debit) filter (where s.depuis between j.du_avant and j.au_avant) as precedent
      from j, compta._sommes(array[j.du_avant, j.au_avant + 1, j.du, j.au + 1], p_id_activite) s
     where compta._de_resultat(s.compte) and s.type <> 'RESULTAT'
     group by s.compte
  )
  select l.code, l.libelle, coalesce(sum(c.montant), 0), coalesce(sum(c.precedent), 0),
         coalesce(array_agg(c.compte order by c.compte)
                    filter (where c.code = l.code and c.montant is not null), '{}')
    from compta.etat_ligne l
    join compta._partie_vue p on p.etat = l.etat and p.code = l.code
    left join c on c.code = p.partie
   where l.etat = 'RESULTAT'
   group by l.code, l.libelle, l.rang
   order by l.rang;
end;
comment on function compta.resultat is
  'Compte de résultat d''un jour à un autre, dans l''ordre du SYSCOHADA, et de la même période un an avant. Une charge est négative, et une ligne en capitales est une somme. Période par défaut : le mois en cours.';
