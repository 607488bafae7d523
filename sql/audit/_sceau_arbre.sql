-- The tree of RFC 6962 over all sealed entries. A leaf is the fingerprint of an entry with its salt, without which the
-- hashes of a proof tell nothing of the neighbours. Complete nodes of 256 leaves and more are stored; a proof computes
-- the others from at most 256 leaves.

create trigger t20_feuillage_fige before delete or truncate on audit.feuillage
  for each statement execute function audit._t20_registre_fige();

create function audit._sel() returns bytea
language sql volatile parallel safe
return substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);
comment on function audit._sel is 'Sel d''une entrée, 128 bits de hasard : un UUID n''en a que 122.';

create function audit._sel_derive(p_sel bytea, p_usage bytea) returns bytea
language sql immutable parallel safe
return sha256(p_sel || p_usage);
comment on function audit._sel_derive is 'Sel d''une part d''une entrée : 01 l''énoncé, que sa preuve montre ; 02 le reste, qu''elle cache.';

create function audit._engager(p_sel bytea, p_empreinte bytea, p_enonce text) returns bytea
language sql immutable parallel safe
return case when p_enonce is null then sha256(p_sel || p_empreinte)
            else sha256(sha256(audit._sel_derive(p_sel, '\x01') || convert_to(p_enonce, 'UTF8'))
                        || sha256(audit._sel_derive(p_sel, '\x02') || p_empreinte)) end;
comment on function audit._engager is
  'Feuille d''une entrée : son empreinte et son sel. Celle d''un document engage à part son énoncé, que sa preuve montre seul.';

create function audit._noeud(p_gauche bytea, p_droite bytea) returns bytea
language sql immutable parallel safe
return sha256('\x01' || p_gauche || p_droite);
comment on function audit._noeud is 'Nœud de l''arbre au-dessus de deux autres.';

create function audit._etage(p_noeuds bytea[]) returns bytea[]
language sql immutable parallel safe
return array(
  select case when p.droite is null then p.gauche else audit._noeud(p.gauche, p.droite) end
    from (select n.noeud as gauche, lead(n.noeud) over (order by n.place) as droite, n.place
            from unnest(p_noeuds) with ordinality n (noeud, place)) p
   where p.place % 2 = 1 order by p.place);
comment on function audit._etage is 'Nœuds au-dessus de ceux-ci ; le dernier d''un nombre impair monte seul.';

create function audit._sommet(p_noeuds bytea[]) returns bytea
language plpgsql immutable parallel safe as $$
begin
  while cardinality(p_noeuds) > 1 loop
    p_noeuds := audit._etage(p_noeuds);
  end loop;
  return p_noeuds[1];
end $$;
comment on function audit._sommet is 'Racine au-dessus de ces nœuds, null s''il n''y en a aucun.';

create view audit._feuillage_vue as
select f.rang, f.premiere, f.premiere + cardinality(s.ids) as suivante, coalesce(f.feuilles, s.empreintes) as feuilles,
       f.sels
  from audit.feuillage f
  join audit.sceau s on s.rang = f.rang;
comment on view audit._feuillage_vue is 'Feuilles de chaque sceau.';
comment on column audit._feuillage_vue.suivante is 'Place de la feuille après sa dernière.';

create function audit._feuilles(p_de bigint, p_a bigint) returns bytea[]
language sql stable parallel safe
return array(
  select sha256('\x00' || x.feuille)
    from audit._feuillage_vue f
   cross join lateral unnest(f.feuilles[greatest(p_de - f.premiere, 0) + 1 : p_a - f.premiere])
         with ordinality x (feuille, place)
   where f.premiere < p_a and f.premiere >= (
           select max(d.premiere) from audit.feuillage d where d.premiere <= p_de)  -- the seal of the first leaf
   order by f.premiere, x.place);
comment on function audit._feuilles is 'Nœuds des feuilles de l''intervalle [de, a).';

create function audit._racine(p_niveau integer, p_place bigint, p_taille bigint) returns bytea
language plpgsql stable parallel safe as $$
declare
  v_de constant bigint := p_place << p_niveau;
  v_a constant bigint := (p_place + 1) << p_niveau;
begin
  if p_niveau <= 8 then
    return audit._sommet(audit._feuilles(v_de, least(v_a, p_taille)));
  elsif v_a <= p_taille then
    return (select n.empreinte from audit.noeud n where n.niveau = p_niveau and n.place = p_place);
  elsif v_de + (1::bigint << (p_niveau - 1)) >= p_taille then
    return audit._racine(p_niveau - 1, 2 * p_place, p_taille);
  end if;
  return audit._noeud(audit._racine(p_niveau - 1, 2 * p_place, p_taille),
                      audit._racine(p_niveau - 1, 2 * p_place + 1, p_taille));
end $$;
comment on function audit._racine is 'Nœud à cette hauteur et à cette place, de l''arbre de cette taille.';

create function audit._hauteur(p_feuilles bigint) returns integer
language sql immutable parallel safe
return coalesce((select min(h) from generate_series(0, 62) h where 1::bigint << h >= p_feuilles), 0);
comment on function audit._hauteur is 'Hauteur du plus petit arbre complet qui tient ces feuilles.';

create function audit._racine_entre(p_de bigint, p_a bigint) returns bytea
language sql stable parallel safe
return audit._racine(audit._hauteur(p_a - p_de), p_de >> audit._hauteur(p_a - p_de), p_a);
comment on function audit._racine_entre is 'Racine des feuilles de [de, a), que commence un nœud de sa hauteur.';

create function audit._chemin(p_feuille bigint, p_taille bigint) returns bytea[]
language plpgsql stable parallel safe as $$
declare
  v_chemin bytea[] := array[]::bytea[];
  v_place bigint := p_feuille;
  v_voisine bytea;
  v_debut constant bigint := p_feuille / 256 * 256;
  v_noeuds bytea[] := audit._feuilles(v_debut, least(v_debut + 256, p_taille));  -- the leaves around it, read once
begin
  for v_niveau in 0 .. audit._hauteur(p_taille) - 1 loop
    if v_niveau < 8 then
      v_voisine := v_noeuds[(v_place # 1) % (256 >> v_niveau) + 1];
      v_noeuds := audit._etage(v_noeuds);
    else
      v_voisine := case when (v_place # 1) << v_niveau < p_taille
                        then audit._racine(v_niveau, v_place # 1, p_taille) end;
    end if;
    if v_voisine is not null then
      v_chemin := v_chemin || v_voisine;
    end if;
    v_place := v_place >> 1;
  end loop;
  return v_chemin;
end $$;
comment on function audit._chemin is 'Preuve d''inclusion (RFC 6962, 2.1.1), de la feuille vers la racine.';

create function audit._remonter(p_donnee bytea, p_feuille bigint, p_taille bigint, p_chemin bytea[]) returns bytea
language plpgsql immutable parallel safe as $$
declare
  v_noeud bytea := sha256('\x00' || p_donnee);
  v_place bigint := p_feuille;
  v_suivant integer := 1;
begin
  for v_niveau in 0 .. audit._hauteur(p_taille) - 1 loop
    if (v_place # 1) << v_niveau < p_taille then
      v_noeud := case v_place % 2 when 1 then audit._noeud(p_chemin[v_suivant], v_noeud)
                                  else audit._noeud(v_noeud, p_chemin[v_suivant]) end;
      v_suivant := v_suivant + 1;
    end if;
    v_place := v_place >> 1;
  end loop;
  return v_noeud;
end $$;
comment on function audit._remonter is 'Racine à laquelle mène la donnée d''une feuille par sa preuve d''inclusion.';

-- RFC 6962, 2.1.2, from the root down. The smaller tree ends inside one node of each level; the others are the proof.
create function audit._coherence(p_de bigint, p_a bigint) returns bytea[]
language plpgsql stable parallel safe as $$
declare
  v_chemin bytea[] := array[]::bytea[];
  v_debut bigint := 0;
  v_fin bigint := p_a;
  v_moitie bigint;
  v_connue boolean := true;  -- the node belongs to the smaller tree, which the verifier has
begin
  while v_fin > p_de loop
    v_moitie := 1::bigint << (audit._hauteur(v_fin - v_debut) - 1);
    if p_de - v_debut <= v_moitie then
      v_chemin := audit._racine_entre(v_debut + v_moitie, v_fin) || v_chemin;
      v_fin := v_debut + v_moitie;
    else
      v_chemin := audit._racine_entre(v_debut, v_debut + v_moitie) || v_chemin;
      v_debut := v_debut + v_moitie;
      v_connue := false;
    end if;
  end loop;
  return case when v_connue then v_chemin else audit._racine_entre(v_debut, v_fin) || v_chemin end;
end $$;
comment on function audit._coherence is 'Preuve de cohérence de deux tailles de l''arbre (RFC 6962, 2.1.2).';

create type audit.pousse as (taille bigint, reste bytea[]);
comment on type audit.pousse is 'Un arbre auquel des feuilles s''ajoutent.';
comment on column audit.pousse.reste is 'Nœuds des feuilles après le dernier nœud de 256 feuilles.';

create function audit._pousse() returns audit.pousse
language sql stable
return (
  select row(t.taille, audit._feuilles(t.taille / 256 * 256, t.taille))::audit.pousse
    from (select coalesce(
                   (select f.suivante from audit._feuillage_vue f order by f.premiere desc limit 1), 0) as taille) t);
comment on function audit._pousse is 'L''arbre tel qu''il est.';

create function audit._pousser(p_pousse audit.pousse, p_feuilles bytea[]) returns audit.pousse
language plpgsql volatile as $$
declare
  v audit.pousse := p_pousse;
  v_feuilles constant bytea[] := v.reste || array(
    select sha256('\x00' || f.feuille) from unnest(p_feuilles) with ordinality f (feuille, place) order by f.place);
  v_premiere constant bigint := v.taille / 256;  -- the place of the first node to complete
begin
  v.taille := v.taille + cardinality(p_feuilles);
  insert into audit.noeud (niveau, place, empreinte)
  select 8, v_premiere + n, audit._sommet(v_feuilles[n * 256 + 1 : n * 256 + 256])
    from generate_series(0, cardinality(v_feuilles) / 256 - 1) n;
  for v_niveau in 9 .. 62 loop
    insert into audit.noeud (niveau, place, empreinte)
    select v_niveau, n.place / 2, audit._noeud(g.empreinte, n.empreinte)
      from audit.noeud n
      join audit.noeud g on g.niveau = n.niveau and g.place = n.place - 1
     where n.niveau = v_niveau - 1 and n.place % 2 = 1 and n.place >= v_premiere >> (v_niveau - 9);
    exit when not found;
  end loop;
  v.reste := v_feuilles[cardinality(v_feuilles) / 256 * 256 + 1 :];
  return v;
end $$;
comment on function audit._pousser is 'Ajoute des feuilles à l''arbre, et rend ce qu''il est devenu.';

create function audit._racine_de(p_pousse audit.pousse) returns bytea
language plpgsql stable as $$
declare
  v_racine bytea := audit._sommet(p_pousse.reste);
  v_noeuds bigint := p_pousse.taille / 256;
  v_niveau integer := 8;
begin
  while v_noeuds > 0 loop
    if v_noeuds % 2 = 1 then
      v_racine := (select case when v_racine is null then n.empreinte else audit._noeud(n.empreinte, v_racine) end
                     from audit.noeud n where n.niveau = v_niveau and n.place = v_noeuds - 1);
    end if;
    v_noeuds := v_noeuds / 2;
    v_niveau := v_niveau + 1;
  end loop;
  return v_racine;
end $$;
comment on function audit._racine_de is 'Racine d''un arbre qui pousse.';

-- Seals made before the tree keep their fingerprints, which have no salt. Their leaves are made with one.
create function audit._feuillage_reprendre() returns void
language plpgsql volatile as $$
declare
  v_sceau audit.sceau;
  v_pousse audit.pousse;
  v_feuilles bytea[];
  v_sels bytea[];
begin
  for v_sceau in
    select s.* from audit.sceau s
     where s.racine is null and s.rang > coalesce((select max(f.rang) from audit.feuillage f), 0) order by s.rang
  loop
    v_pousse := coalesce(v_pousse, audit._pousse());
    select array_agg(e.sel order by e.place), array_agg(audit._engager(e.sel, e.empreinte, n.enonce) order by e.place)
      into v_sels, v_feuilles
      from (select x.id, x.empreinte, x.place, audit._sel() as sel
              from unnest(v_sceau.ids, v_sceau.empreintes) with ordinality x (id, empreinte, place) offset 0) e
      left join audit.empreinte_vue n
        on n.registre = v_sceau.registre and n.id between v_sceau.du_id and v_sceau.au_id and n.id = e.id;
    insert into audit.feuillage (rang, premiere, feuilles, sels)
    values (v_sceau.rang, v_pousse.taille, v_feuilles, v_sels);
    v_pousse := audit._pousser(v_pousse, v_feuilles);
  end loop;
end $$;
comment on function audit._feuillage_reprendre is 'Met dans l''arbre les entrées des sceaux d''avant lui ; une seconde fois ne fait rien.';
