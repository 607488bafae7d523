-- The lines of a request. They are inserted just before their order, so that its total is right at once.

create type pressing.ligne_entree as (
  type_vetement core.libelle, quantite core.nombre, prestation core.libelle, tarif core.montant,
  poids_kg pressing.poids, hors_catalogue boolean);
comment on type pressing.ligne_entree is 'Linge déposé.';
comment on column pressing.ligne_entree.type_vetement is 'Par exemple « Chemise ».';
comment on column pressing.ligne_entree.quantite is 'Nombre de pièces.';
comment on column pressing.ligne_entree.prestation is 'Ce qui est fait du linge, par exemple « Lavage et repassage ».';
comment on column pressing.ligne_entree.tarif is 'Prix d''une pièce, pour une commande UNITAIRE.';
comment on column pressing.ligne_entree.poids_kg is 'Poids des pièces en kilogrammes, pour une commande POIDS.';
comment on column pressing.ligne_entree.hors_catalogue is 'Faux : les deux libellés sont du catalogue. Vrai s''il n''est pas donné.';
call core.peut_etre_null('pressing.ligne_entree', 'tarif', 'poids_kg', 'hors_catalogue');

create function pressing._prix_kg() returns core.montant
language plpgsql stable as $$
declare
  v_prix_kg core.montant := finances._prix_vu('TARIF_KG', 0, (
    select t.prix_kg from pressing.tarif_kg t order by t.id_tarif_kg desc limit 1));
begin
  if v_prix_kg is null then
    perform core.refuser(409, 'TARIF_KG_ABSENT', 'Aucun prix du kilo n''est fixé : fixez-le avant de peser du linge.');
  end if;
  return v_prix_kg;
end $$;
comment on function pressing._prix_kg is 'Le prix du kilo de ce jour. Refuse TARIF_KG_ABSENT.';

create function pressing._lignes_ecrire(
  p_id_commande bigint, p_lignes pressing.ligne_entree[], p_prix_kg core.montant default null)
returns void
language plpgsql volatile as $$
declare
  v_prix_kg core.montant := p_prix_kg;
  v_sans_prix bigint; -- rank of the first line with neither price nor weight
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  end if;
  select min(l.rang) into v_sans_prix
    from unnest(p_lignes) with ordinality
         as l (type_vetement, quantite, prestation, tarif, poids_kg, hors_catalogue, rang)
   where l.tarif is null and l.poids_kg is null;
  if v_sans_prix is not null then
    perform core.refuser(400, 'VALIDATION_ERROR', 'Validation échouée', jsonb_build_array(jsonb_build_object(
      'property', format('lignes.%s.tarif', v_sans_prix - 1),
      'messages', array['Ce champ est obligatoire, sauf pour une ligne pesée.'])));
  end if;
  if v_prix_kg is null and exists (select from unnest(p_lignes) l where l.poids_kg is not null) then
    v_prix_kg := pressing._prix_kg();
  end if;
  insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif, poids_kg, prix_kg,
                                       hors_catalogue)
  select p_id_commande, l.type_vetement, l.quantite, l.prestation, l.tarif, l.poids_kg,
         case when l.poids_kg is not null then v_prix_kg end, coalesce(l.hors_catalogue, true)
    from unnest(p_lignes) with ordinality
         as l (type_vetement, quantite, prestation, tarif, poids_kg, hors_catalogue, rang) order by l.rang;
end $$;
comment on function pressing._lignes_ecrire is
  'Écrit les lignes d''une commande, au prix du kilo donné, sinon à celui de ce jour. Refuse COMMANDE_SANS_LIGNE, VALIDATION_ERROR, TARIF_KG_ABSENT.';
-- The lines come from the request.
call core.peut_refuser('pressing._lignes_ecrire', 'LIGNE_TARIF_OU_POIDS');
