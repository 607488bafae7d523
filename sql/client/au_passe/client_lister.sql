create function client.client_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_type_client client.type_client default null, p_nom text default null, p_prenoms text default null,
  p_sexe client.sexe default null, p_nationalite text default null, p_profession text default null,
  p_tel_principal text default null, p_tel_secondaire text default null, p_email text default null,
  p_ville text default null, p_pays text default null,
  p_naissance_du date default null, p_naissance_au date default null,
  p_enregistre_du date default null, p_enregistre_au date default null,
  p_instant timestamptz default null)
returns setof client.client_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The last name stands on both sides of the first names, so that the search finds both orders.
  return query execute audit._au_passe(p_instant, core._liste('client.client_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.code, v.nom, v.prenoms, v.nom, v.tel_principal,
                                                v.tel_secondaire, v.email), $1))
    and ($2 is null or v.type_client = $2)
    and ($3 is null or core._contient(v.nom, $3))
    and ($4 is null or core._contient(v.prenoms, $4))
    and ($5 is null or v.sexe = $5)
    and ($6 is null or core._contient(v.nationalite, $6))
    and ($7 is null or core._contient(v.profession, $7))
    and ($8 is null or core._contient(v.tel_principal, $8))
    and ($9 is null or core._contient(v.tel_secondaire, $9))
    and ($10 is null or core._contient(v.email, $10))
    and ($11 is null or core._contient(v.ville, $11))
    and ($12 is null or core._contient(v.pays, $12))
    and ($13 is null or v.date_naissance >= $13)
    and ($14 is null or v.date_naissance <= $14)
    and ($15 is null or v.date_enregistrement >= core.debut_du_jour($15))
    and ($16 is null or v.date_enregistrement < core.debut_du_jour($16 + 1))
  $filtre$, 'v.date_enregistrement desc, v.id_client desc', p_sort, p_order, p_limit, p_offset))
  using p_recherche, p_type_client, p_nom, p_prenoms, p_sexe, p_nationalite, p_profession, p_tel_principal,
        p_tel_secondaire, p_email, p_ville, p_pays, p_naissance_du, p_naissance_au, p_enregistre_du, p_enregistre_au;
end $$;
comment on function client.client_lister is
  'Liste les clients, les derniers enregistrés d''abord ; la recherche porte sur le code, les noms, les téléphones et l''adresse électronique. « instant » : comme à cet instant passé.';
