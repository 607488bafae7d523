-- Staff and the journal have no activity of their own. A limited caller sees the rows of accounts with the same limits.

create function auth._sans_bornes() returns boolean
language sql stable
return core.activite() is null and core.caisse() is null and core.client() is null;
comment on function auth._sans_bornes is 'Vrai pour qui n''est limité ni à une activité, ni à une caisse, ni à un client.';

create function auth._comptes_dans_bornes() returns bigint[]
language sql stable
return array(
  select p.id_utilisateur from auth.perimetre_vue p
   where p.id_utilisateur = core.utilisateur()
      or core.client() is null
         and p.id_activite is not distinct from coalesce(core.activite(), p.id_activite)
         and p.id_caisse is not distinct from coalesce(core.caisse(), p.id_caisse));
comment on function auth._comptes_dans_bornes is
  'Comptes qui sont dans les bornes de l''utilisateur : le sien, et ceux de son activité et de sa caisse.';
