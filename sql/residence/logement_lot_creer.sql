create domain residence.quantite_lot as integer
  constraint lot_minimal check (value >= 1)
  constraint lot_maximal check (value <= 100);
comment on domain residence.quantite_lot is 'Nombre de logements d''un lot, de 1 à 100.';
comment on constraint lot_minimal on domain residence.quantite_lot is 'Un lot compte un logement au moins.';
comment on constraint lot_maximal on domain residence.quantite_lot is 'Un lot compte cent logements au plus.';

create function residence.logement_lot_creer(
  p_id_batiment bigint, p_type residence.type_logement, p_tarif core.montant, p_quantite residence.quantite_lot,
  p_nom core.libelle default null, p_equipements core.texte default null,
  p_statut residence.statut_logement default 'DISPONIBLE', p_etat core.texte default null,
  p_code_taxe core.code default null)
returns setof residence.logement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_ids bigint[];
begin
  -- A building of another activity is unknown. The trigger of the room number refuses a missing building.
  perform residence.batiment_detail(b.id_batiment) from residence.batiment b where b.id_batiment = p_id_batiment;
  with crees as (
    insert into residence.logement (id_batiment, type, tarif, nom, equipements, statut, etat, code_taxe)
    select p_id_batiment, p_type, p_tarif, p_nom, p_equipements, p_statut, p_etat, p_code_taxe
      from generate_series(1, p_quantite)
    returning id_logement)
  select array_agg(c.id_logement) into v_ids from crees c;
  return query select * from residence.logement_vue l where l.id_logement = any (v_ids) order by l.id_logement;
end $$;
comment on function residence.logement_lot_creer is 'Crée de 1 à 100 logements semblables, numérotés à la suite.';
