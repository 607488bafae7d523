-- The lines of a request. They are inserted just before their order, so that its total is right at once.

create type pressing.mode_tarification as enum ('UNITAIRE', 'POIDS');
comment on type pressing.mode_tarification is 'UNITAIRE : à la pièce, la seule façon de compter ; POIDS est refusé.';

create type pressing.ligne_entree as (
  type_vetement core.libelle, quantite core.nombre, prestation core.libelle, tarif core.montant,
  hors_catalogue boolean, poids_kg core.nombre);
comment on type pressing.ligne_entree is 'Linge déposé.';
comment on column pressing.ligne_entree.type_vetement is 'Par exemple « Chemise ».';
comment on column pressing.ligne_entree.quantite is 'Nombre de pièces.';
comment on column pressing.ligne_entree.prestation is 'Ce qui est fait du linge, par exemple « Lavage et repassage ».';
comment on column pressing.ligne_entree.tarif is 'Prix d''une pièce.';
comment on column pressing.ligne_entree.hors_catalogue is 'Vrai, ou absent : aucun catalogue n''est tenu.';
comment on column pressing.ligne_entree.poids_kg is 'Vide : le linge se compte à la pièce.';
call core.peut_etre_null('pressing.ligne_entree', 'hors_catalogue', 'poids_kg');

create function pressing._a_la_piece(p_mode pressing.mode_tarification, p_lignes pressing.ligne_entree[]) returns void
language plpgsql stable as $$
begin
  if p_mode = 'POIDS' or exists (select from unnest(p_lignes) l where l.poids_kg is not null) then
    perform core.refuser(400, 'TARIF_AU_POIDS_NON_TENU',
                         'Le linge se compte à la pièce : le mode est UNITAIRE, et aucune ligne n''a de poids.');
  end if;
  perform core._catalogue_absent(bool_and(coalesce(l.hors_catalogue, true))) from unnest(p_lignes) l;
end $$;
comment on function pressing._a_la_piece(pressing.mode_tarification, pressing.ligne_entree[]) is
  'N''accepte que du linge compté à la pièce et hors catalogue. Refuse TARIF_AU_POIDS_NON_TENU, CATALOGUE_NON_TENU.';

create function pressing._lignes_ecrire(p_id_commande bigint, p_lignes pressing.ligne_entree[]) returns void
language plpgsql volatile as $$
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  end if;
  insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif)
  select p_id_commande, l.type_vetement, l.quantite, l.prestation, l.tarif
    from unnest(p_lignes) with ordinality as l (type_vetement, quantite, prestation, tarif, hors_catalogue, poids_kg, rang)
   order by l.rang;
end $$;
comment on function pressing._lignes_ecrire(bigint, pressing.ligne_entree[]) is
  'Écrit les lignes d''une commande. Refuse COMMANDE_SANS_LIGNE.';
