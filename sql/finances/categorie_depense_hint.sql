create type finances.depense_hint as (montant core.montant, libelle core.libelle);
comment on type finances.depense_hint is 'Montant et libellé proposés à la saisie d''une dépense.';
call core.peut_etre_null('finances.depense_hint', 'montant', 'libelle');

create function finances.categorie_depense_hint(p_id_categorie_depense bigint) returns finances.depense_hint
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((
  select row(d.montant, d.libelle)::finances.depense_hint from finances.depense_vue d
   where d.id_categorie_depense = p_id_categorie_depense
   order by d.date desc, d.id_depense desc limit 1));
comment on function finances.categorie_depense_hint is
  'Rend le montant et le libellé de la dernière dépense de la catégorie.';
