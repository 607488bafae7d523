create type salle_fete.type_manifestation_champs as (libelle core.libelle, actif boolean, code_taxe core.code);
comment on type salle_fete.type_manifestation_champs is 'Champs modifiables d''un type de manifestation.';

create function salle_fete.type_manifestation_modifier(p_id_type_manifestation bigint, p_champs jsonb)
returns salle_fete.type_manifestation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update salle_fete.type_manifestation t
     set (libelle, actif, code_taxe) =
         (select v.libelle, v.actif, v.code_taxe from jsonb_populate_record(t, p_champs) v)
   where t.id_type_manifestation = p_id_type_manifestation and salle_fete._visible();
  return salle_fete.type_manifestation_detail(p_id_type_manifestation);
end $$;
comment on function salle_fete.type_manifestation_modifier is
  'Renomme, désactive ou réactive un type de manifestation ; les réservations gardent le libellé qu''elles ont.';
