create view rh.element_salaire_detail_vue as
select e.*, p as paie
  from rh.element_salaire_vue e
  join rh.paie_vue p on p.id_paie = e.id_paie;
comment on view rh.element_salaire_detail_vue is 'Élément de salaire et son bulletin recalculé.';

call core.detail('rh._element_salaire', 'rh.element_salaire_detail_vue', 'id_element');
comment on function rh._element_salaire is 'Un élément de salaire et son bulletin. Refuse NOT_FOUND.';

call core.creation('rh.element_salaire_ajouter', 'rh.element_salaire', 'rh._element_salaire', 'rh._paie(p_id_paie)',
  'id_paie', 'type', 'libelle', 'montant');
comment on function rh.element_salaire_ajouter is
  'Ajoute un élément à un bulletin CALCULEE, dont les totaux suivent ; une avance et une retenue se déduisent, quel que soit le signe donné.';
