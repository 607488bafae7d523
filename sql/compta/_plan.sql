-- The chart names each account: the accounts of the cases have their own name, all others the name of the longest number
-- of the chart that they begin with. A number that begins with none is no account.

create function compta._libelle_compte(p_compte text) returns text
language sql stable
return coalesce((select min(c.libelle) from compta.compte c where c.compte = p_compte),
                (select p.libelle from compta.plan p
                  where p.compte in (left(p_compte, 4), left(p_compte, 3), left(p_compte, 2))
                  order by length(p.compte) desc limit 1));
comment on function compta._libelle_compte is
  'Nom d''un compte : celui que lui donne un cas, sinon le plan ; null s''il n''est pas du plan.';
