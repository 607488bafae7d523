create type restaurant.ligne_commande as (id_plat bigint, quantite core.nombre);
comment on type restaurant.ligne_commande is 'Plat commandé ; son prix est celui de la carte.';
comment on column restaurant.ligne_commande.id_plat is 'Plat.';
comment on column restaurant.ligne_commande.quantite is 'Quantité.';

create function restaurant._plats_disponibles(p_lignes restaurant.ligne_commande[]) returns void
language plpgsql stable as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  end if;
  select l.id_plat, p.nom, p.disponible into v
    from unnest(p_lignes) with ordinality as l (id_plat, quantite, rang)
    left join restaurant.plat p on p.id_plat = l.id_plat
   where p.disponible is not true
   order by l.rang limit 1;
  if found and v.disponible is null then
    perform core.refuser(422, 'PLAT_INCONNU', format('Le plat %s n''existe pas.', v.id_plat));
  elsif found then
    perform core.refuser(409, 'PLAT_INDISPONIBLE', format('« %s » n''est pas disponible.', v.nom),
                         jsonb_build_object('id_plat', v.id_plat::text, 'plat', v.nom));
  end if;
end $$;
comment on function restaurant._plats_disponibles is
  'Vérifie que chaque plat commandé existe et est disponible. Refuse COMMANDE_SANS_LIGNE, PLAT_INCONNU, PLAT_INDISPONIBLE.';

create function restaurant._commande_lignes_ecrire(p_id_commande bigint, p_lignes restaurant.ligne_commande[])
returns void
language sql volatile
begin atomic
  insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire)
  select p_id_commande, l.id_plat, l.quantite, finances._prix_vu('PLAT', p.id_plat, p.prix)
    from unnest(p_lignes) with ordinality as l (id_plat, quantite, rang)
    join restaurant.plat p on p.id_plat = l.id_plat
   order by l.rang;
end;
comment on function restaurant._commande_lignes_ecrire is
  'Écrit les lignes d''une commande aux prix de la carte, juste avant elle.';
call core.ne_refuse_pas('restaurant._commande_lignes_ecrire', 'COMMANDE_FIGEE');
