create type market.fournisseur_champs as (
  nom core.libelle, contact core.libelle, telephone core.telephone, email core.email, adresse core.texte,
  actif boolean);
comment on type market.fournisseur_champs is 'Champs modifiables d''un fournisseur.';

call core.modification('market.fournisseur_modifier', 'market.fournisseur', 'market.fournisseur_detail');
comment on function market.fournisseur_modifier is 'Modifie les champs donnés d''un fournisseur, ou le réactive.';
