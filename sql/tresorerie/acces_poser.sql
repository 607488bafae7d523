create function tresorerie.acces_poser(
  p_id_compte bigint, p_chiffre text, p_hash text, p_unite tresorerie.unite_montant default null)
returns tresorerie.acces_pose
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.compte := tresorerie._fournisseur_exiger(p_id_compte);
  v_unite tresorerie.unite_montant;
begin
  perform tresorerie._compte_permis_verifier(v);
  perform auth._preuve_exiger();
  insert into tresorerie.acces as a (id_compte, fournisseur, secret, hash, unite)
  values (p_id_compte, v.fournisseur, p_chiffre, p_hash, coalesce(p_unite, 'FRANC'))
  on conflict on constraint acces_pkey do update
     set (fournisseur, secret, hash, unite, date_modification)
       = row(excluded.fournisseur, excluded.secret, excluded.hash, coalesce(p_unite, a.unite), now())
  returning a.unite into v_unite;
  return row(p_id_compte, v.fournisseur, v_unite, '')::tresorerie.acces_pose;
end $$;
comment on function tresorerie.acces_poser is
  'Donne à un compte les clés de son fournisseur, que l''API a chiffrées et que rien ne rend. L''adresse des avis reste la même.';
