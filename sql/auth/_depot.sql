-- Which users may read and store the files of a category. A file of another activity answers NOT_FOUND. An account that
-- is bound to a client reads the files in the record of this client and the files that it stored itself.

create function auth._depot_exiger(p_categorie auth.categorie_depot, p_action auth.action_depot) returns auth.depot
language plpgsql stable as $$
declare
  v auth.depot;
  v_permission text;
begin
  select * into strict v from auth.depot d where d.categorie = p_categorie;
  v_permission := v.domaine || '.' || p_action;
  -- A client who orders in the portal reads the pictures of products and dishes.
  if not auth._permise(v_permission) and not (p_action = 'VOIR' and auth._permise(v.domaine || '.COMMANDER')) then
    perform auth._interdire(v_permission);
  elsif v.id_activite is not null and not core._visible(v.id_activite, core.activite())
     or core.client() is not null and v.domaine = 'RESIDENCE' then
    raise no_data_found;
  end if;
  return v;
end $$;
comment on function auth._depot_exiger is 'Ce que l''on sait d''une catégorie, si l''utilisateur peut y faire cela.';

create function auth._fichier_du_client(p_cle text) returns boolean
language sql stable
return exists (select from client.client c where c.id_client = core.client() and c.photo = p_cle)
    or exists (select from client.piece_identite p
                where p.id_client = core.client() and p_cle in (p.copie_num, p.copie_num_verso))
    or starts_with(split_part(p_cle, '/', 2), core.utilisateur() || '-');
comment on function auth._fichier_du_client is 'Vrai d''un fichier de la fiche du client, ou qu''il a déposé.';
