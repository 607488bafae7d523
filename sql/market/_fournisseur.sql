create view market.fournisseur_vue as
select f.id_fournisseur, f.nom, f.contact, f.telephone, f.email, f.adresse, f.actif
  from market.fournisseur f
 where (select market._visible());
comment on view market.fournisseur_vue is 'Fournisseurs.';
