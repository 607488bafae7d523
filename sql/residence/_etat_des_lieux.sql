-- Photos taken at the beginning and at the end of a lease. The object store holds the bytes, under cle_objet.

create view residence.etat_des_lieux_vue as
select e.id_photo, e.id_contrat, e.type, e.piece, e.cle_objet, e.commentaire, e.id_utilisateur, e.date_ajout
  from residence.etat_des_lieux e
 where (select residence._visible());
comment on view residence.etat_des_lieux_vue is 'Photos des états des lieux.';
comment on column residence.etat_des_lieux_vue.cle_objet is 'Clé du fichier déposé.';

create trigger t10_etat_des_lieux_auteur before insert on residence.etat_des_lieux
  for each row execute function core._t10_auteur();
