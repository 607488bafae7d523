create type echange.plats as (
  nom core.libelle, prix core.montant, categorie core.libelle, disponible boolean, description core.texte);
comment on type echange.plats is 'Une ligne d''une feuille de plats.';
comment on column echange.plats.nom is 'Nom : comme il est à la carte.';
comment on column echange.plats.prix is 'Prix : d''une part.';
comment on column echange.plats.categorie is 'Catégorie : libellé d''une catégorie qui existe.';
comment on column echange.plats.disponible is 'Disponible : oui ou non, oui si rien n''est dit.';
comment on column echange.plats.description is 'Description : en quelques mots.';
call core.peut_etre_null('echange.plats', 'categorie', 'disponible', 'description');

create function echange._plats(p echange.plats) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_plat bigint := (select x.id_plat from restaurant.plat x where lower(x.nom) = lower((p).nom) limit 1);
begin
  return row(
    coalesce(v_id_plat, (restaurant.plat_creer(
      p_nom => (p).nom, p_prix => (p).prix,
      p_id_categorie_plat => echange._trouver('categorie', (p).categorie, array(
        select c.id_categorie_plat from restaurant.categorie_plat c where lower(c.libelle) = lower((p).categorie)),
        'Aucune catégorie de plats ne s''appelle « %s ».'),
      p_disponible => coalesce((p).disponible, true), p_description => (p).description)).id_plat),
    v_id_plat is not null, lower((p).nom))::echange.issue;
end $$;
comment on function echange._plats is 'Ajoute un plat à la carte ; le même nom existe déjà.';
