call core.detail('residence.etat_des_lieux_detail', 'residence.etat_des_lieux_vue', 'id_photo');
comment on function residence.etat_des_lieux_detail is 'Une photo d''état des lieux.';
