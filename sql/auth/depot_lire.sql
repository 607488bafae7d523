create function auth.depot_lire(p_key core.cle_objet) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_categorie text := split_part(p_key, '/', 1);
  v auth.depot;
begin
  if v_categorie <> all (enum_range(null::auth.categorie_depot)::text[]) or strpos(p_key, '..') > 0
     or starts_with(split_part(p_key, '/', 2), '.') then
    perform core.refuser(400, 'VALIDATION_ERROR', 'Validation échouée',
      jsonb_build_array(jsonb_build_object('property', 'key',
        'messages', jsonb_build_array('La clé du fichier n''est pas valable : <categorie>/<nom>.'))));
  end if;
  v := auth._depot_exiger(v_categorie::auth.categorie_depot, 'VOIR');
  if core.client() is not null and v.domaine in ('CLIENT', 'SIGNALEMENT') and not auth._fichier_du_client(p_key) then
    raise no_data_found;
  end if;
end $$;
comment on function auth.depot_lire is 'Vérifie que l''utilisateur peut lire le fichier de cette clé.';
