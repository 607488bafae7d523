create type compta.compte_champs as (compte compta.numero_compte, libelle core.libelle);
comment on type compta.compte_champs is 'Compte d''un cas.';
comment on column compta.compte_champs.compte is 'Null pour aucun : le cas général sert alors.';

create function compta.compte_modifier(p_cas text, p_champs jsonb) returns compta.compte_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v compta.compte_vue := compta.compte_detail(p_cas);
  v_champs compta.compte_champs := jsonb_populate_record(row(v.compte, v.libelle)::compta.compte_champs, p_champs);
begin
  insert into compta.compte as c (cas, id_activite, id_moyen, id_caisse, id_categorie_depense, code_taxe,
                                  compte, libelle)
  values (v.genre, v.id_activite, v.id_moyen, v.id_caisse, v.id_categorie_depense, v.code_taxe,
          v_champs.compte, v_champs.libelle)
  on conflict on constraint compte_existant do update set (compte, libelle) = row(excluded.compte, excluded.libelle);
  return compta.compte_detail(p_cas);
end $$;
comment on function compta.compte_modifier is 'Donne son compte à un cas. Les mois clôturés gardent le leur.';
