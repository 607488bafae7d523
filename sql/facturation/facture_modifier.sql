create type facturation.facture_champs as (libelle core.libelle);
comment on type facturation.facture_champs is 'Ce qui se corrige dans une facture : son libellé seul.';

create function facturation.facture_modifier(p_id_facture bigint, p_champs jsonb)
returns facturation.facture_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update facturation.facture f set libelle = (select n.libelle from jsonb_populate_record(f, p_champs) n)
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  return facturation.facture_detail(p_id_facture);
end $$;
comment on function facturation.facture_modifier is 'Change le libellé d''une facture, et rien d''autre.';
