create function tresorerie.acces_lire(p_id_compte bigint) returns tresorerie.acces_garde
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.compte := tresorerie._fournisseur_exiger(p_id_compte);
begin
  perform tresorerie._compte_permis_verifier(v);
  perform auth._preuve_exiger();
  return row(v.fournisseur, (tresorerie._acces(v)).secret)::tresorerie.acces_garde;
end $$;
comment on function tresorerie.acces_lire is
  'Pour l''API, qui garde l''adresse des avis quand les clés changent : les clés d''un compte, chiffrées.';
