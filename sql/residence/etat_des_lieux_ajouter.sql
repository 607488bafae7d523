call core.creation('residence.etat_des_lieux_ajouter', 'residence.etat_des_lieux', 'residence.etat_des_lieux_detail',
  'core._trouve((select c.id_contrat from residence.contrat_location_vue c where c.id_contrat = p_id_contrat))',
  'id_contrat', 'type', 'cle_objet', 'piece', 'commentaire');
comment on function residence.etat_des_lieux_ajouter is
  'Ajoute à l''état des lieux d''un contrat une photo déjà déposée.';
