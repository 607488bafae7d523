-- A payment without a reference shows the number of its invoice, which is read only for the rows of the page; it never
-- changes, so a past answer reads the present invoice too. When the
-- user is bound to a till or an activity, the query gets it as a value too, so that the plan can use its index.
create function finances.paiement_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_type finances.type_paiement default null,
  p_id_moyen bigint default null, p_id_activite bigint default null, p_id_utilisateur bigint default null,
  p_id_caisse bigint default null, p_sans_caisse boolean default null,
  p_motif text default null, p_reference text default null,
  p_instant timestamptz default null)
returns setof finances.paiement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.paiement_vue;
begin
  for v in execute audit._au_passe(p_instant, core._liste('finances._paiement_brut_vue', $filtre$
        ($1 is null or core._contient(v.motif, $1) or core._contient(v.reference, $1)
                    or v.id_paiement in (select finances._paiements_du_numero($1)))
    and ($2 is null or v.date >= $2)
    and ($3 is null or v.date < $3)
    and ($4 is null or v.type = $4)
    and ($5 is null or v.id_moyen = $5)
    and ($6 is null or v.id_activite = $6)
    and ($7 is null or v.id_utilisateur = $7)
    and ($8 is null or v.id_caisse = $8)
    and (not $9 or v.id_caisse is null)
    and ($10 is null or core._contient(v.motif, $10))
    and ($11 is null or core._contient(v.reference, $11)
                     or v.reference is null and v.id_paiement in (select finances._paiements_du_numero($11)))
  $filtre$, 'v.date desc, v.id_paiement desc', p_sort, p_order, p_limit, p_offset))
  using p_recherche, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_type, p_id_moyen,
        coalesce(p_id_activite, core.activite()), p_id_utilisateur, finances._caisse_demandee(p_id_caisse),
        coalesce(p_sans_caisse and core.caisse() is null, false), p_motif, p_reference
  loop
    v.reference := coalesce(v.reference, (select f.numero from facturation.facture f where f.id_facture = v.id_facture)::core.libelle);
    return next v;
  end loop;
end $$;
comment on function finances.paiement_lister is
  'Paiements, du plus récent au plus ancien. « du » et « au » sont des jours compris ; « sans_caisse » ne garde que les paiements sans caisse, sans effet pour un utilisateur lié à une caisse. « instant » : comme à cet instant passé.';
