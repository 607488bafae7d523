-- When the user is bound to a till or an activity, the query gets it as a value too, so that the plan can use its
-- index.
create function finances.depense_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_id_categorie_depense bigint default null,
  p_id_activite bigint default null, p_id_utilisateur bigint default null, p_id_caisse bigint default null,
  p_sans_caisse boolean default null, p_libelle text default null)
returns setof finances.depense_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('finances.depense_vue', $filtre$
        ($1 is null or core._contient(v.libelle, $1) or core._contient(v.justificatif, $1))
    and ($2 is null or v.date >= $2)
    and ($3 is null or v.date < $3)
    and ($4 is null or v.id_categorie_depense = $4)
    and ($5 is null or v.id_activite = $5)
    and ($6 is null or v.id_utilisateur = $6)
    and ($7 is null or v.id_caisse = $7)
    and ($8 is not true or v.id_caisse is null)
    and ($9 is null or core._contient(v.libelle, $9))
  $filtre$, 'v.date desc, v.id_depense desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_id_categorie_depense,
        coalesce(p_id_activite, core._activite_sans_caisse()), p_id_utilisateur,
        finances._caisse_demandee(p_id_caisse), p_sans_caisse and core.caisse() is null, p_libelle;
end $$;
comment on function finances.depense_lister is
  'Liste les dépenses, la dernière d''abord ; un utilisateur lié à une caisse ne voit que les siennes. « sans_caisse » garde les dépenses sans caisse.';
