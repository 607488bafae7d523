create type echange.fournisseurs as (
  nom core.libelle, contact core.libelle, telephone core.telephone, email core.email, adresse core.texte);
comment on type echange.fournisseurs is 'Une ligne d''une feuille de fournisseurs.';
comment on column echange.fournisseurs.nom is 'Nom : raison sociale.';
comment on column echange.fournisseurs.contact is 'Contact : personne à joindre.';
comment on column echange.fournisseurs.telephone is 'Téléphone : 0701020304 ou +2250701020304.';
comment on column echange.fournisseurs.email is 'E-mail : adresse électronique.';
comment on column echange.fournisseurs.adresse is 'Adresse : rue, quartier, ville.';
call core.peut_etre_null('echange.fournisseurs', 'contact', 'telephone', 'email', 'adresse');

create function echange._fournisseurs(p echange.fournisseurs) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_fournisseur bigint := (
    select f.id_fournisseur from market.fournisseur f where lower(f.nom) = lower((p).nom) limit 1);
begin
  return row(
    coalesce(v_id_fournisseur, (market.fournisseur_creer(
      p_nom => (p).nom, p_contact => (p).contact, p_telephone => (p).telephone, p_email => (p).email,
      p_adresse => (p).adresse)).id_fournisseur),
    v_id_fournisseur is not null, lower((p).nom))::echange.issue;
end $$;
comment on function echange._fournisseurs is 'Ajoute un fournisseur ; le même nom existe déjà.';
