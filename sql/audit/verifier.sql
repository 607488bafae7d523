create domain audit.empreinte as text
  constraint empreinte_mal_formee check (value ~ '^[0-9a-fA-F]{64}$');
comment on domain audit.empreinte is 'Empreinte SHA-256 en hexadécimal.';
comment on constraint empreinte_mal_formee on domain audit.empreinte is 'Une empreinte a 64 chiffres hexadécimaux.';

create type audit.constat as (
  nature audit.nature_constat, registre audit.registre, nombre integer, ids bigint[], rang bigint, du_id bigint,
  au_id bigint, message text);
comment on type audit.constat is 'Ce qu''une vérification a trouvé dans l''intervalle d''un sceau.';
comment on column audit.constat.nature is 'CHANGEE, MANQUANTE, AJOUTEE : des entrées ; ARBRE_ROMPU : l''arbre n''est plus celui de ces entrées, ou n''a plus la racine que le sceau porte ; SCEAU_ROMPU : ce sceau ou celui d''avant a changé ; SCEAU_MANQUANT : des sceaux ont disparu avant celui-ci ; SCEAU_ATTENDU_ABSENT : celui que l''on gardait n''est plus là.';
comment on column audit.constat.nombre is 'Nombre d''entrées concernées, null pour un sceau.';
comment on column audit.constat.ids is 'Identifiants de ces entrées, les vingt premiers.';
comment on column audit.constat.rang is 'Rang du sceau.';
call core.peut_etre_null('audit.constat', 'registre', 'nombre', 'ids', 'rang', 'du_id', 'au_id');

create function audit.verifier(
  p_attendu audit.empreinte default null, p_du_rang bigint default null, p_au_rang bigint default null)
returns setof audit.constat
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_rompue boolean;
begin
  return query select * from audit._verifier_chaine(decode(p_attendu, 'hex'));
  v_rompue := found;
  return query select * from audit._verifier_entrees(p_du_rang, p_au_rang);
  if not v_rompue then  -- the tree of a broken chain is broken as well
    return query select * from audit._verifier_arbre();
  end if;
end $$;
comment on function audit.verifier is
  'Compare le journal, les factures et les paiements à leurs sceaux, et les sceaux entre eux ; ne rend rien quand tout est intact. « du_rang » et « au_rang » limitent les entrées relues à celles de ces sceaux, dix mille au plus par sceau ; l''arbre est relu en entier. Avec l''empreinte d''un sceau gardée hors de la base, dit aussi si ce sceau est toujours dans la chaîne : sans elle, une chaîne entièrement refaite ou coupée de sa fin ne se voit pas.';

create function audit._verifier_chaine(p_attendu bytea) returns setof audit.constat
language sql stable
begin atomic
  with chaine as (
    select s.rang, s.registre, s.du_id, s.au_id, coalesce(lag(s.rang) over suite, 0) as precedent,
           s.empreinte = audit._sceau_empreinte(lag(s.empreinte) over suite, s) as juste
      from audit.sceau s window suite as (order by s.rang))
  select case when c.rang = c.precedent + 1 then 'SCEAU_ROMPU' else 'SCEAU_MANQUANT' end::audit.nature_constat,
         c.registre, null::integer, null::bigint[], c.rang, c.du_id, c.au_id,
         case when c.rang = c.precedent + 1 then
                format('Le sceau %s ne suit pas le précédent : l''un des deux a été changé.', c.rang)
              when c.rang = c.precedent + 2 then format('Un sceau manque avant le sceau %s.', c.rang)
              else format('%s sceaux manquent avant le sceau %s.', c.rang - c.precedent - 1, c.rang) end
    from chaine c where c.rang <> c.precedent + 1 or not c.juste
  union all
  select 'SCEAU_ATTENDU_ABSENT', null, null, null, null, null, null,
         format('Le sceau %s n''est plus dans la chaîne.', encode(p_attendu, 'hex'))
   where p_attendu is not null and not exists (select from audit.sceau s where s.empreinte = p_attendu)
   order by 5;
end;
comment on function audit._verifier_chaine is 'Sceaux changés, sceaux disparus, et le sceau attendu s''il n''est plus là.';

create function audit._constat_phrase(p_lieu text, p_nature audit.nature_constat, p_ids bigint[]) returns text
language sql immutable
return format('%s, %s %s : %s.', p_lieu, cardinality(p_ids),
              case when cardinality(p_ids) = 1
                   then case p_nature when 'CHANGEE' then 'entrée changée' when 'MANQUANTE' then 'entrée disparue'
                                      else 'entrée ajoutée après coup' end
                   else case p_nature when 'CHANGEE' then 'entrées changées' when 'MANQUANTE' then 'entrées disparues'
                                      else 'entrées ajoutées après coup' end end,
              array_to_string(p_ids[1:20], ', ') || case when cardinality(p_ids) > 20 then ' et d''autres' else '' end);
comment on function audit._constat_phrase is 'La phrase d''un constat sur des entrées, où qu''elles soient.';

-- No sequence gives an identifier below 1: such an entry is checked with the first interval of its register. The
-- entries of an archived month are skipped: `comptoir archive --verifier` compares its file with the seals, so a forged
-- row of audit.archive hides deleted entries only here. « offset 0 » reads the archives once for a seal. An erased
-- entry that has lost its salt has the hash of its seal, and is what its erasure left.
create function audit._verifier_entrees(p_du_rang bigint, p_au_rang bigint) returns setof audit.constat
language sql stable
begin atomic
  select d.nature, s.registre, d.nombre, d.ids[1:20], s.rang, s.du_id, s.au_id,
         audit._constat_phrase(format('Registre %s, sceau %s (%s à %s)', s.registre, s.rang, s.du_id, s.au_id),
                               d.nature, d.ids)
    from audit.sceau s
    left join audit.feuillage f on f.rang = s.rang
   cross join lateral (
     select coalesce(range_agg(a.ids), '{}') as archivees
       from audit.archive a
      where s.registre = 'journal' and s.rang between a.du_rang and a.au_rang
        and not exists (select from audit.partie_vue p where p.nom = a.partie) offset 0) v
   cross join lateral (
     select array_agg(e.id order by e.id) as ids,
            array_agg(case when z.id is not null
                           then case when x.sel is null and z.empreinte = e.empreinte then x.empreinte end
                           when f.feuilles is not null or x.sel is null then e.empreinte
                           else audit._engager(x.sel, e.empreinte, e.enonce) end
                      order by e.id) as empreintes
       from audit.empreinte_vue e
       left join unnest(s.ids, s.empreintes, f.sels) x (id, empreinte, sel) on x.id = e.id
       left join audit._effacees(s) z on z.id = e.id
      where e.registre = s.registre and e.id <= s.au_id
        and e.id >= case s.du_id when 1 then -9223372036854775808 else s.du_id end) e
   cross join lateral (
     select x.nature, count(*)::integer as nombre, array_agg(x.id order by x.id) as ids
       from (select coalesce(a.id, b.id) as id,
                    case when b.id is null then 'MANQUANTE' when a.id is null then 'AJOUTEE' else 'CHANGEE'
                    end::audit.nature_constat as nature
               from unnest(s.ids, s.empreintes) a (id, empreinte)
               full join unnest(e.ids, e.empreintes) b (id, empreinte) on b.id = a.id
              where a.empreinte is distinct from b.empreinte
                and not (b.id is null and s.registre = 'journal' and a.id <@ v.archivees)) x
      group by x.nature) d
   where s.rang >= coalesce(p_du_rang, 0) and s.rang <= coalesce(p_au_rang, 9223372036854775807)
     and (s.empreintes is distinct from e.empreintes or s.ids is distinct from e.ids)
   order by s.rang, d.nature;
end;
comment on function audit._verifier_entrees is 'Entrées scellées qui ont changé ou disparu, et entrées ajoutées dans un intervalle scellé. Une entrée archivée n''a pas disparu. Une entrée effacée vaut par ce que son effacement en a laissé.';

-- Each level is computed from the one below, and the roots from the nodes: nothing stored is taken for granted.
create function audit._verifier_arbre() returns setof audit.constat
language sql stable
begin atomic
  with feuillage as (
    select s.rang, s.racine, f.premiere, coalesce(sum(cardinality(s.ids)) over avant, 0) as attendue, s.ids, f.feuilles,
           f.sels, s.registre, s.empreintes
      from audit.sceau s
      left join audit.feuillage f on f.rang = s.rang
    window avant as (order by s.rang rows between unbounded preceding and 1 preceding)),
  feuille as (
    select f.premiere + x.place - 1 as place, sha256('\x00' || x.feuille) as empreinte
      from feuillage f
     cross join lateral unnest(coalesce(f.feuilles, f.empreintes)) with ordinality x (feuille, place)
     where f.premiere is not null),
  complet as (
    select 8 as niveau, f.place / 256 as place, audit._sommet(array_agg(f.empreinte order by f.place)) as empreinte
      from feuille f group by 2 having count(*) = 256
    union all
    select d.niveau + 1, d.place / 2, audit._noeud(g.empreinte, d.empreinte)
      from audit.noeud d
      join audit.noeud g on g.niveau = d.niveau and g.place = d.place - 1
     where d.place % 2 = 1)
  select 'ARBRE_ROMPU'::audit.nature_constat, null::audit.registre, null::integer, null::bigint[], r.rang, null::bigint,
         null::bigint, r.message
    from (
      select f.rang, format('Le sceau %s n''a pas sa place dans l''arbre.', f.rang) as message
        from feuillage f
       where f.premiere is distinct from f.attendue and (f.racine is not null or f.premiere is not null)
      union all
      select f.rang, format('Le sceau %s, qui est dans l''arbre, n''est plus dans la chaîne.', f.rang)
        from audit.feuillage f
       where not exists (select from audit.sceau s where s.rang = f.rang)
      union all
      select f.rang, format('Les feuilles du sceau %s ne sont pas celles de ses entrées.', f.rang)
        from feuillage f
       where f.feuilles is not null and f.feuilles is distinct from array(
         select case when x.sel is null and f.registre = 'journal' and exists (
                            select from audit.effacement z where z.ids @> x.id) then x.feuille
                     else audit._engager(x.sel, x.empreinte, e.enonce) end
           from unnest(f.ids, f.empreintes, f.sels, f.feuilles) with ordinality x (id, empreinte, sel, feuille, place)
           left join audit.empreinte_vue e on e.registre = f.registre and e.id = x.id
          order by x.place)
      union all
      select null, format('Le nœud %s de hauteur %s n''est pas celui de ses feuilles.', coalesce(c.place, n.place),
                          coalesce(c.niveau, n.niveau))
        from audit.noeud n
        full join complet c on c.niveau = n.niveau and c.place = n.place
       where n.empreinte is distinct from c.empreinte
      union all
      select s.rang, format('Le sceau %s ne porte pas la racine de l''arbre.', s.rang)
        from audit.sceau s
       where s.racine is not null
         and (s.rang = (select max(d.rang) from audit.sceau d)
              or s.rang in (select t.rang from audit.tete t join audit.publication p on p.taille = t.taille))
         and s.racine is distinct from audit._racine_entre(0, s.taille)
      union all
      select t.rang, format('La racine signée de l''arbre de %s feuilles n''est pas celle du sceau %s.', t.taille,
                            t.rang)
        from audit.tete t
        left join audit.sceau s on s.rang = t.rang
       where (s.taille, s.racine) is distinct from (t.taille, t.racine)) r;
end;
comment on function audit._verifier_arbre is 'Ce qui, dans l''arbre, ne vient pas des entrées scellées, et les racines publiées qui n''en sont pas.';
