create type finances.moyen_paiement_champs as (libelle core.libelle, actif boolean);
comment on type finances.moyen_paiement_champs is 'Ce qui se modifie d''un moyen de paiement.';

create function finances.moyen_paiement_modifier(p_id_moyen bigint, p_champs jsonb)
returns finances.moyen_paiement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update finances.moyen_paiement m
     set (libelle, actif) = (select n.libelle, n.actif from jsonb_populate_record(m, p_champs) n)
   where m.id_moyen = p_id_moyen;
  return finances.moyen_paiement_detail(p_id_moyen);
end $$;
comment on function finances.moyen_paiement_modifier is 'Modifie un moyen de paiement.';
