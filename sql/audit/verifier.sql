create type audit.constat as (
  nature audit.nature_constat, registre audit.registre, nombre integer, ids bigint[], rang bigint, du_id bigint,
  au_id bigint, message text);
comment on type audit.constat is 'Ce qu''une vérification a trouvé dans l''intervalle d''un sceau.';
comment on column audit.constat.nature is 'CHANGEE, MANQUANTE, AJOUTEE : des entrées ; SCEAU_ROMPU : ce sceau ou celui d''avant a changé ; SCEAU_MANQUANT : des sceaux ont disparu avant celui-ci ; SCEAU_ATTENDU_ABSENT : celui que l''on gardait n''est plus là.';
comment on column audit.constat.nombre is 'Nombre d''entrées concernées, null pour un sceau.';
comment on column audit.constat.ids is 'Identifiants de ces entrées, les vingt premiers.';
comment on column audit.constat.rang is 'Rang du sceau.';
call core.peut_etre_null('audit.constat', 'registre', 'nombre', 'ids', 'rang', 'du_id', 'au_id');

create function audit.verifier(p_attendu text default null, p_du_rang bigint default null, p_au_rang bigint default null)
returns setof audit.constat
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from audit._verifier_chaine(decode(p_attendu, 'hex'));
  return query select * from audit._verifier_entrees(p_du_rang, p_au_rang);
end $$;
comment on function audit.verifier(text, bigint, bigint) is
  'Compare le journal, les factures et les paiements à leurs sceaux, et les sceaux entre eux ; ne rend rien quand tout est intact. « du_rang » et « au_rang » limitent les entrées relues à celles de ces sceaux, dix mille au plus par sceau. Avec l''empreinte d''un sceau gardée hors de la base, dit aussi si ce sceau est toujours dans la chaîne : sans elle, une chaîne entièrement refaite ou coupée de sa fin ne se voit pas.';

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
comment on function audit._verifier_chaine(bytea) is 'Sceaux changés, sceaux disparus, et le sceau attendu s''il n''est plus là.';

create function audit._constat_phrase(p_lieu text, p_nature audit.nature_constat, p_ids bigint[]) returns text
language sql immutable
return format('%s, %s %s : %s.', p_lieu, cardinality(p_ids),
              case when cardinality(p_ids) = 1
                   then case p_nature when 'CHANGEE' then 'entrée changée' when 'MANQUANTE' then 'entrée disparue'
                                      else 'entrée ajoutée après coup' end
                   else case p_nature when 'CHANGEE' then 'entrées changées' when 'MANQUANTE' then 'entrées disparues'
                                      else 'entrées ajoutées après coup' end end,
              array_to_string(p_ids[1:20], ', ') || case when cardinality(p_ids) > 20 then ' et d''autres' else '' end);
comment on function audit._constat_phrase(text, audit.nature_constat, bigint[]) is 'La phrase d''un constat sur des entrées, où qu''elles soient.';

-- No sequence gives an identifier below 1. Such an entry is checked with the first interval of its register.
-- « offset 0 » reads the archives once for a seal, and not once for an entry.
create function audit._verifier_entrees(p_du_rang bigint, p_au_rang bigint) returns setof audit.constat
language sql stable
begin atomic
  select d.nature, s.registre, d.nombre, d.ids[1:20], s.rang, s.du_id, s.au_id,
         audit._constat_phrase(format('Registre %s, sceau %s (%s à %s)', s.registre, s.rang, s.du_id, s.au_id), d.nature, d.ids)
    from audit.sceau s
   cross join lateral (
     select case s.registre when 'journal' then audit._archivees(s.rang) end as archivees offset 0) v
   cross join lateral (
     select array_agg(e.id order by e.id) as ids, array_agg(e.empreinte order by e.id) as empreintes
       from audit.empreinte_vue e
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
comment on function audit._verifier_entrees(bigint, bigint) is 'Entrées scellées qui ont changé ou disparu, et entrées ajoutées dans un intervalle scellé. Une entrée archivée n''a pas disparu.';
