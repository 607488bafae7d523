-- Lines as they come in. They are written just before their order, so that its total is right from the first moment.

create type pressing.ligne_entree as (
  type_vetement core.libelle, quantite core.nombre, prestation core.libelle, tarif core.montant);
comment on type pressing.ligne_entree is 'Linge déposé.';
comment on column pressing.ligne_entree.type_vetement is 'Obligatoire. Par exemple « Chemise ».';
comment on column pressing.ligne_entree.quantite is 'Obligatoire. Nombre de pièces.';
comment on column pressing.ligne_entree.prestation is 'Obligatoire. Ce qui est fait du linge, par exemple « Lavage et repassage ».';
comment on column pressing.ligne_entree.tarif is 'Obligatoire. Prix d''une pièce.';

create function pressing._lignes_ecrire(p_id_commande bigint, p_lignes pressing.ligne_entree[]) returns void
language plpgsql volatile as $$
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  end if;
  insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif)
  select p_id_commande, l.type_vetement, l.quantite, l.prestation, l.tarif
    from unnest(p_lignes) with ordinality as l (type_vetement, quantite, prestation, tarif, rang)
   order by l.rang;
end $$;
comment on function pressing._lignes_ecrire(bigint, pressing.ligne_entree[]) is
  'Écrit les lignes d''une commande. Refuse COMMANDE_SANS_LIGNE.';
