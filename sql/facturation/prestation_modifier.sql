create type facturation.prestation_champs as (
  libelle core.libelle, categorie core.libelle, prix core.montant, description core.texte, id_activite bigint,
  actif boolean, code_taxe core.code);
comment on type facturation.prestation_champs is 'Champs modifiables d''une prestation.';

create function facturation.prestation_modifier(p_id_prestation bigint, p_champs jsonb)
returns facturation.prestation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v facturation.prestation;
begin
  perform facturation.prestation_detail(p_id_prestation);
  -- Every activity may sell a service without an activity. Only a user without an activity may change it.
  select * into strict v from facturation.prestation p
   where p.id_prestation = p_id_prestation and core._visible(p.id_activite, core.activite())
     for no key update;
  v := jsonb_populate_record(v, p_champs);
  v.id_activite := facturation._activite_permise(v.id_activite);
  update facturation.prestation p
     set (libelle, categorie, prix, description, id_activite, actif, code_taxe)
       = row(v.libelle, v.categorie, v.prix, v.description, v.id_activite, v.actif, v.code_taxe)
   where p.id_prestation = p_id_prestation;
  return facturation.prestation_detail(p_id_prestation);
end $$;
comment on function facturation.prestation_modifier is
  'Modifie les champs donnés d''une prestation ; les factures émises ne changent pas.';
