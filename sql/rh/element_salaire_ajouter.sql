create view rh.element_salaire_detail_vue as
select e.*, p as paie
  from rh.element_salaire_vue e
  join rh.paie_vue p on p.id_paie = e.id_paie;
comment on view rh.element_salaire_detail_vue is 'Élément de salaire et son bulletin recalculé.';

create function rh.element_salaire_ajouter(
  p_id_paie bigint, p_type rh.type_element, p_libelle core.libelle, p_montant core.montant_signe)
returns rh.element_salaire_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_element bigint;
begin
  perform rh._paie(p_id_paie);
  insert into rh.element_salaire (id_paie, type, libelle, montant) values (p_id_paie, p_type, p_libelle, p_montant)
  returning id_element into v_id_element;
  return (select d from rh.element_salaire_detail_vue d where d.id_element = v_id_element);
end $$;
comment on function rh.element_salaire_ajouter is
  'Ajoute un élément à un bulletin CALCULEE, dont les totaux suivent ; une avance et une retenue se déduisent, quel que soit le signe donné.';
