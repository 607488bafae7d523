create function tresorerie.ligne_detacher(p_id_ligne bigint) returns tresorerie.ligne_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform tresorerie._ligne_tenir(p_id_ligne, true);
  delete from tresorerie.rapprochement r where r.id_ligne = p_id_ligne;
  return tresorerie._ligne(p_id_ligne);
end $$;
comment on function tresorerie.ligne_detacher is
  'Défait le rapprochement d''une ligne d''un mois ouvert. La ligne et la pièce restent, chacune de son côté.';
