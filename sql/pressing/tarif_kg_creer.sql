create function pressing.tarif_kg_creer(p_prix_kg core.montant) returns pressing.tarif_kg_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pressing._activite();
  insert into pressing.tarif_kg (prix_kg) values (p_prix_kg);
  return pressing.tarif_kg_detail();
end $$;
comment on function pressing.tarif_kg_creer is
  'Fixe le prix du kilo des commandes à venir ; celles qui sont déposées gardent le leur.';
