call core.retrait('residence.etat_des_lieux_supprimer', 'residence.etat_des_lieux_detail',
  'delete from residence.etat_des_lieux');
comment on function residence.etat_des_lieux_supprimer is
  'Retire une photo de l''état des lieux ; le fichier déposé reste.';
