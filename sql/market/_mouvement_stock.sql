-- Stock movements. Each movement changes the stock of its product and the value of this stock, stores what results, and
-- never changes (docs/decisions/0092-cout-moyen.md).
-- Lock: the product. An operation on several products writes their movements in the order of the products' ids.

create view market.mouvement_stock_vue as
select m.id_mouvement, m.id_produit, p.reference, p.nom, m.date, m.type, m.quantite as quantite_mouvement, m.delta,
       m.stock_resultant, m.motif, m.document_ref, m.id_vente, m.id_utilisateur, m.cout_unitaire, m.origine_cout,
       m.valeur, m.valeur_resultante, m.ecart_de_cout, m.id_mouvement_origine, m.jour
  from market.mouvement_stock m
  join market.produit p on p.id_produit = m.id_produit
 where (select market._visible());
comment on view market.mouvement_stock_vue is 'Mouvements de stock.';
comment on column market.mouvement_stock_vue.reference is 'Référence du produit.';
comment on column market.mouvement_stock_vue.nom is 'Nom du produit.';
comment on column market.mouvement_stock_vue.quantite_mouvement is 'Quantité saisie ; signée pour un AJUSTEMENT.';
comment on column market.mouvement_stock_vue.stock_resultant is 'Stock du produit après ce mouvement.';

call core.detail('market._mouvement_stock', 'market.mouvement_stock_vue', 'id_mouvement');
comment on function market._mouvement_stock is 'Un mouvement de stock. Refuse NOT_FOUND.';

create function market._produits_verrouiller(p_id_produits bigint[]) returns void
language plpgsql volatile as $$
begin
  perform from market.produit p where p.id_produit = any (p_id_produits) order by p.id_produit for no key update;
end $$;
comment on function market._produits_verrouiller is
  'Verrouille des produits dans l''ordre de leurs identifiants : deux paniers s''attendent sans jamais se bloquer.';

create trigger t10_mouvement_auteur before insert on market.mouvement_stock
  for each row execute function core._t10_auteur();

-- Values are in units of the currency, and the last article takes what rounding has left.
create function market._part(p_valeur numeric, p_total numeric, p_quantite numeric) returns numeric
language sql stable
return case p_quantite when p_total then p_valeur
                       else least(p_valeur, core.arrondir(p_valeur * p_quantite / p_total)) end;
comment on function market._part is 'Part d''une valeur qui revient à une quantité ; la quantité entière la prend toute.';

-- Each way out takes its share of the articles that were in stock with the entry. Articles that go back to the supplier
-- are of the entry that they name.
create function market._reste_en_stock(p_entree market.mouvement_stock) returns numeric
language plpgsql stable as $$
declare
  v_entree numeric := case (p_entree).origine_cout when 'OUVERTURE' then (p_entree).stock_resultant
                           else (p_entree).delta end;
  v_reste numeric := v_entree;
  v_sortie record;
begin
  for v_sortie in
    select m.stock_resultant as apres, m.delta,
           m.id_mouvement_origine is not distinct from (p_entree).id_mouvement as rendue
      from market.mouvement_stock m
     where m.id_produit = (p_entree).id_produit and m.id_mouvement > (p_entree).id_mouvement and m.delta < 0
  loop
    if v_sortie.rendue then
      v_entree := v_entree + v_sortie.delta;
      v_reste := greatest(v_reste + v_sortie.delta, 0);
    else
      v_reste := round(v_reste * v_sortie.apres / (v_sortie.apres - v_sortie.delta), 30);
    end if;
    exit when v_reste = 0;
  end loop;
  return coalesce(v_reste / nullif(v_entree, 0), 0);
end $$;
comment on function market._reste_en_stock is
  'Part, de 0 à 1, d''une entrée qui n''est pas sortie depuis : chaque sortie prend sa part de tout ce qui est en stock, et ce qui est rendu au fournisseur est de l''entrée qu''il nomme.';

create function market._cout_corriger(p_mouvement market.mouvement_stock, p_produit market.produit)
returns market.mouvement_stock
language plpgsql stable as $$
declare
  v market.mouvement_stock := (
    select m from market.mouvement_stock m where m.id_mouvement = (p_mouvement).id_mouvement_origine);
  v_ecart numeric := coalesce((p_mouvement).valeur, core.arrondir(
    case v.origine_cout when 'OUVERTURE' then v.stock_resultant else v.delta end * (p_mouvement).cout_unitaire)
    - v.valeur - (select coalesce(sum(c.valeur + c.ecart_de_cout), 0)
                    from market.mouvement_stock c
                   where c.id_mouvement_origine = v.id_mouvement and c.origine_cout = 'CORRECTION'));
begin
  p_mouvement.origine_cout := 'CORRECTION';
  p_mouvement.jour := greatest(p_mouvement.jour, v.jour); -- a bill may be dated before its delivery
  p_mouvement.valeur := case (p_produit).quantite_stock when 0 then 0
    else greatest(-(p_produit).valeur_stock, core.arrondir(v_ecart * market._reste_en_stock(v))) end;
  p_mouvement.ecart_de_cout := v_ecart - p_mouvement.valeur;
  return p_mouvement;
end $$;
comment on function market._cout_corriger is
  'Valeur d''une correction : ce que le nouveau coût ajoute à ce qui reste de l''entrée ; « ecart_de_cout » est pour ce qui est déjà sorti.';

-- A sale of before the average cost has no value: its lines have the purchase price of the sheet at that time.
create function market._retour_valoriser(p_mouvement market.mouvement_stock) returns market.mouvement_stock
language plpgsql stable as $$
declare
  v_quantite numeric;
  v_valeur numeric;
begin
  select -sum(m.delta), case when bool_and(m.valeur is not null) then -sum(m.valeur) end into v_quantite, v_valeur
    from market.mouvement_stock m
   where m.id_vente = (p_mouvement).id_vente and m.id_produit = (p_mouvement).id_produit;
  if v_quantite >= (p_mouvement).quantite and v_valeur is not null then
    p_mouvement.valeur := market._part(v_valeur, v_quantite, (p_mouvement).quantite);
  else
    p_mouvement.valeur := core.arrondir((p_mouvement).quantite * (
      select sum(l.quantite * l.prix_achat) / sum(l.quantite) from market.vente_ligne l
       where l.id_vente = (p_mouvement).id_vente and l.id_produit = (p_mouvement).id_produit));
  end if;
  p_mouvement.origine_cout := 'RETOUR';
  return p_mouvement;
end $$;
comment on function market._retour_valoriser is 'Valeur d''articles vendus qui reviennent : celle à laquelle ils étaient sortis.';

-- The last article takes the whole value of the stock, which may be more or less than it had cost.
create function market._entree_reprendre(p_mouvement market.mouvement_stock, p_produit market.produit)
returns market.mouvement_stock
language plpgsql stable as $$
declare
  v_valeur numeric := coalesce(-(p_mouvement).valeur, (
    select market._part(m.valeur, m.delta, (p_mouvement).quantite) from market.mouvement_stock m
     where m.id_mouvement = (p_mouvement).id_mouvement_origine));
begin
  p_mouvement.origine_cout := 'RETOUR';
  p_mouvement.valeur := -case (p_produit).quantite_stock when (p_mouvement).quantite then (p_produit).valeur_stock
                              else least((p_produit).valeur_stock, v_valeur) end;
  p_mouvement.ecart_de_cout := nullif(-p_mouvement.valeur - v_valeur, 0);
  return p_mouvement;
end $$;
comment on function market._entree_reprendre is
  'Valeur d''articles qui repartent d''où ils venaient : celle à laquelle ils étaient entrés ; « ecart_de_cout » est ce que le stock perd de plus ou de moins.';

-- Stock is valued in the order of arrival. An article that a device sold before an entry, and sends after it, has the
-- cost with this entry, and leaves the stock right after it: the stock of no day is less than nothing, nor its value.
create function market._moment_du_mouvement(p_id_produit bigint) returns timestamptz
language sql stable
return greatest(core.moment(), (select max(m.date) from market.mouvement_stock m
                                 where m.id_produit = p_id_produit and m.date > core.moment() and m.delta >= 0));
comment on function market._moment_du_mouvement is
  'Moment d''un mouvement fait sans réseau : celui de l''appareil, ou celui de la dernière entrée d''après.';

-- A purchase gives the value itself: its bill says what the articles are worth, to the unit of the currency.
create function market._t50_mouvement_stock() returns trigger
language plpgsql volatile as $$
declare
  v market.produit;
  v_delta numeric := case new.type when 'SORTIE' then -new.quantite else new.quantite end;
  v_cout numeric;
begin
  select * into v from market.produit p where p.id_produit = new.id_produit for no key update;
  if not found then
    new.stock_resultant := 0; -- the foreign key then refuses this row
    return new;
  elsif v.quantite_stock + v_delta < 0 then
    perform core.refuser(409, 'STOCK_INSUFFISANT',
      format('Stock insuffisant : il reste %s de « %s » (%s).', core.nombre_ecrire(v.quantite_stock), v.nom,
             v.reference),
      jsonb_build_object('id_produit', v.id_produit::text, 'produit', v.nom, 'reste', v.quantite_stock::text,
                         'demande', (-v_delta)::text));
  end if;
  new.ecart_de_cout := null;
  if core.moment() is not null then
    new.date := market._moment_du_mouvement(new.id_produit);
  end if;
  new.jour := coalesce(new.jour, core.jour(new.date)); -- a purchase gives the day of its paper
  if new.jour < core.jour(clock_timestamp()) then
    perform compta._ouverte_exiger(new.jour);
  end if;
  if v_delta < 0 and new.id_mouvement_origine is null then -- a sale: no statement more than its stock needs
    new.origine_cout := 'MOYEN';
    new.valeur := -market._part(v.valeur_stock, v.quantite_stock, -v_delta);
  elsif v_delta < 0 then
    new := market._entree_reprendre(new, v);
  elsif new.id_mouvement_origine is not null then
    new := market._cout_corriger(new, v);
  elsif new.id_vente is not null then
    new := market._retour_valoriser(new);
  elsif new.valeur is not null then
    new.origine_cout := 'SAISI';
    new.cout_unitaire := new.valeur / v_delta;
  else
    v_cout := coalesce(new.cout_unitaire::core.montant, v.valeur_stock / nullif(v.quantite_stock, 0), v.prix_achat);
    new.origine_cout := (case when new.cout_unitaire is not null then 'SAISI' when v.quantite_stock > 0 then 'MOYEN'
                              else 'FICHE' end)::market.origine_cout;
    new.valeur := core.arrondir(v_delta * v_cout);
    -- Without a cost, the constraint refuses a quantity of zero.
    new.cout_unitaire := case when v_delta <> 0 then v_cout end;
  end if;
  if v_delta < 0 or new.origine_cout = 'RETOUR' then
    new.cout_unitaire := new.valeur / v_delta;
  end if;
  new.stock_resultant := v.quantite_stock + v_delta;
  new.valeur_resultante := v.valeur_stock + new.valeur;
  update market.produit p set quantite_stock = new.stock_resultant, valeur_stock = new.valeur_resultante
   where p.id_produit = new.id_produit;
  return new;
end $$;
comment on function market._t50_mouvement_stock is
  'Ajoute le mouvement au stock du produit et à sa valeur, et note ce qui reste, jamais moins que zéro. Ce qui entre prend son coût, sinon le coût moyen, sinon, quand le stock est vide, le prix d''achat de la fiche. Refuse STOCK_INSUFFISANT.';

create trigger t50_mouvement_stock before insert on market.mouvement_stock
  for each row execute function market._t50_mouvement_stock();

call core.figer('MOUVEMENT_FIGE', 'Un mouvement de stock ne change ni ne s''efface : il se corrige par un autre.',
  'before update or delete on market.mouvement_stock');

create function market._entree_defaire(p_id_mouvement bigint, p_motif core.texte) returns void
language sql volatile
begin atomic
  insert into market.mouvement_stock (id_produit, type, quantite, id_mouvement_origine, motif)
  select m.id_produit, 'SORTIE', m.quantite, m.id_mouvement, p_motif
    from market.mouvement_stock m where m.id_mouvement = p_id_mouvement;
end;
comment on function market._entree_defaire is 'Fait sortir une entrée au coût auquel elle était entrée.';
