-- A statement as app/leaves/providers/statement.py gives it: the parts of a file, each with its own balances. A part is
-- { compte, devise, ouverture, cloture, lignes: [{ ligne, jour, libelle, reference, identifiant, debit, credit, montant,
-- solde }] }. Everything may be missing, and all values are what the bank wrote: SQL reads them. A line has its amount,
-- or what left the account and what came. Of several labels all count, of several references the first.

create type tresorerie.feuille as (
  jour date, libelle text, reference text, debit core.somme, credit core.somme, montant core.somme, solde core.somme,
  identifiant text);
comment on type tresorerie.feuille is 'Une ligne d''un relevé en feuille : les colonnes que l''envoi reconnaît.';
comment on column tresorerie.feuille.jour is 'Date : jour où la banque a compté la ligne.';
comment on column tresorerie.feuille.libelle is 'Libellé : ce que la banque en dit.';
comment on column tresorerie.feuille.reference is 'Référence : celle que le payeur a donnée.';
comment on column tresorerie.feuille.debit is 'Débit : ce qui sort du compte.';
comment on column tresorerie.feuille.credit is 'Crédit : ce qui entre sur le compte.';
comment on column tresorerie.feuille.montant is 'Montant : négatif, il sort du compte.';
comment on column tresorerie.feuille.solde is 'Solde : celui du compte après la ligne.';
comment on column tresorerie.feuille.identifiant is 'Identifiant : numéro de la transaction chez la banque.';

create type tresorerie.ligne_lue as (
  partie bigint, ordre bigint, ligne integer, jour date, libelle text, reference text, identifiant text,
  montant numeric, ecrit numeric, solde numeric, empreinte text, occurrence bigint);
comment on type tresorerie.ligne_lue is 'Ligne d''un fichier : son solde écrit, et celui que donnent les lignes d''avant.';

create function tresorerie._jour_lu(p_texte text) returns date
language plpgsql immutable parallel safe as $$
declare
  v_chiffres constant text := replace(left(p_texte, 10), '-', '');
  v_annee integer;
  v_mois integer;
  v_jour integer;
begin
  if p_texte is null or p_texte !~ '^[0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:$|T|[0-9]{4})' then
    return null;
  end if;
  v_annee := substr(v_chiffres, 1, 4)::integer;
  v_mois := substr(v_chiffres, 5, 2)::integer;
  v_jour := substr(v_chiffres, 7, 2)::integer;
  if v_annee > 0 and v_mois between 1 and 12 and v_jour between 1 and (case v_mois
       when 2 then 28 + (v_annee % 4 = 0 and v_annee % 100 <> 0 or v_annee % 400 = 0)::integer
       else 30 + (v_mois + v_mois / 8) % 2 end) then
    return make_date(v_annee, v_mois, v_jour);
  end if;
  return null;
end $$;
comment on function tresorerie._jour_lu is 'Jour d''une date ISO 8601, null d''un autre texte.';

create function tresorerie._montant_lu(p_texte text) returns numeric
language sql immutable parallel safe
return case when p_texte ~ '^[+-]?[0-9]{1,15}(?:[.,][0-9]{0,2}0{0,4})?$' then replace(p_texte, ',', '.')::numeric end;
comment on function tresorerie._montant_lu is 'Montant de deux décimales au plus, null d''un autre texte.';

create function tresorerie._textes_lus(p_valeur jsonb) returns table (texte text, rang bigint)
language sql immutable parallel safe
begin atomic
  select v.texte, min(v.rang)
    from (select btrim(regexp_replace(x.valeur #>> '{}', '[[:space:][:cntrl:]]+', ' ', 'g')) as texte, x.rang
            from jsonb_path_query(p_valeur, '$[*]') with ordinality x (valeur, rang)) v
   where v.texte <> '' group by v.texte;
end;
comment on function tresorerie._textes_lus is 'Textes différents d''une valeur, qui en a un ou plusieurs, chacun sur une ligne.';

create function tresorerie._reference_lue(p_valeur jsonb) returns text
language sql immutable parallel safe
return (select left(t.texte, 200) from tresorerie._textes_lus(p_valeur) t
         where upper(t.texte) not in ('0', 'NONREF', 'NOTPROVIDED', 'NOTAVAILABLE') order by t.rang limit 1);
comment on function tresorerie._reference_lue is 'Premier texte d''une valeur qui soit une référence.';

create function tresorerie._lignes_ecrites(p_parties jsonb)
returns table (partie bigint, rang bigint, ligne integer, valeur jsonb)
language sql immutable
begin atomic
  select p.rang, l.rang, coalesce((l.valeur ->> 'ligne')::integer, l.rang::integer), l.valeur
    from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
   cross join lateral jsonb_array_elements(p.valeur -> 'lignes') with ordinality l (valeur, rang)
   where l.valeur ?| '{debit,credit,montant,solde}';
end;
comment on function tresorerie._lignes_ecrites is 'Lignes d''un fichier, telles quelles ; celle qui n''a pas de nombre est une remarque.';

create function tresorerie._releve_lisible(p_parties jsonb) returns jsonb
language plpgsql stable as $$
declare
  v_phrase text;
begin
  select coalesce('Ligne ' || x.ligne || ' : ', '') || format('« %s » n''est pas %s.', left(x.texte, 40), x.attendu)
    into v_phrase
    from (select l.partie, l.ligne, v.texte, v.attendu
            from tresorerie._lignes_ecrites(p_parties) l
           cross join lateral (
             select l.valeur ->> 'jour', 'une date' where tresorerie._jour_lu(l.valeur ->> 'jour') is null
             union all
             select m.texte, 'un montant' from jsonb_each_text(l.valeur) m (nom, texte)
              where m.nom in ('debit', 'credit', 'montant', 'solde') and tresorerie._montant_lu(m.texte) is null
             ) v (texte, attendu)
          union all
          select p.rang, null, m.texte, 'un montant'
            from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
           cross join lateral jsonb_each_text(p.valeur - 'lignes') m (nom, texte)
           where m.nom in ('ouverture', 'cloture') and tresorerie._montant_lu(m.texte) is null) x
   order by x.partie, x.ligne limit 1;
  if found then
    perform core.refuser(400, 'RELEVE_ILLISIBLE', v_phrase);
  end if;
  return p_parties;
end $$;
comment on function tresorerie._releve_lisible is
  'Les parties d''un fichier dont chaque date et chaque montant se lit. Refuse RELEVE_ILLISIBLE.';

-- A sheet without an opening balance may begin with its last day; within one day the balances tell. Its opening balance
-- is the one before its first written balance. Without any, a closing balance gives the opening one.
create function tresorerie._releve_lire(p_parties jsonb) returns setof tresorerie.ligne_lue
language sql stable
begin atomic
  with parties as (
    select p.rang as partie, tresorerie._montant_lu(p.valeur ->> 'ouverture') as ouverture,
           tresorerie._montant_lu(p.valeur ->> 'cloture') as cloture
      from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
  ), brutes as materialized (
    select l.partie, l.rang, l.ligne, tresorerie._jour_lu(l.valeur ->> 'jour') as jour,
           coalesce((select left(string_agg(t.texte, ' ' order by t.rang), 500)
                       from tresorerie._textes_lus(l.valeur -> 'libelle') t), 'Sans libellé') as libelle,
           tresorerie._reference_lue(l.valeur -> 'reference') as reference,
           tresorerie._reference_lue(l.valeur -> 'identifiant') as identifiant,
           coalesce(tresorerie._montant_lu(l.valeur ->> 'credit'), 0)
             - abs(coalesce(tresorerie._montant_lu(l.valeur ->> 'debit'), 0))
             + coalesce(tresorerie._montant_lu(l.valeur ->> 'montant'), 0) as montant,
           tresorerie._montant_lu(l.valeur ->> 'solde') as ecrit
      from tresorerie._lignes_ecrites(p_parties) l
  ), sauts as (
    select b.*, b.ecrit - b.montant - lag(b.ecrit) over (partition by b.partie order by b.rang) as croissant,
           b.ecrit - b.montant - lag(b.ecrit) over (partition by b.partie order by b.rang desc) as decroissant,
           first_value(b.jour) over (partition by b.partie order by b.rang) as premier,
           first_value(b.jour) over (partition by b.partie order by b.rang desc) as dernier
      from brutes b
  ), sens as (
    select p.partie, p.ouverture, p.cloture, p.ouverture is null and case
             when min(s.premier) <> min(s.dernier) then min(s.premier) > min(s.dernier)
             else count(*) filter (where s.decroissant = 0) > count(*) filter (where s.croissant = 0) end as inverse
      from parties p join sauts s on s.partie = p.partie
     group by p.partie, p.ouverture, p.cloture
  ), cumuls as (
    select s.*, p.ouverture, p.cloture, row_number() over w as ordre, sum(s.montant) over w as cumul,
           sum(s.montant) over (partition by s.partie) as total
      from sauts s join sens p on p.partie = s.partie
    window w as (partition by s.partie order by case when p.inverse then -s.rang else s.rang end
                 rows unbounded preceding)
  ), departs as (
    select c.partie, (array_agg(c.ecrit - c.cumul order by c.ordre) filter (where c.ecrit is not null))[1] as depart
      from cumuls c group by c.partie
  )
  select c.partie, c.ordre, c.ligne, c.jour, c.libelle, c.reference, c.identifiant, c.montant, c.ecrit,
         coalesce(c.ouverture, d.depart, c.cloture - c.total) + c.cumul, e.empreinte,
         row_number() over (partition by e.empreinte order by c.partie, c.ordre)
    from cumuls c
    join departs d on d.partie = c.partie
   cross join lateral (
     select encode(sha256(convert_to(
              concat_ws(E'\n', c.jour, trim_scale(c.montant),
                        coalesce(c.identifiant, concat(c.libelle, E'\n', c.reference))),
              'UTF8')), 'hex') as empreinte) e;
end;
comment on function tresorerie._releve_lire is 'Lignes d''un relevé, dans l''ordre du temps, leur solde compté.';

create function tresorerie._solde_faux(p_ligne integer, p_attendu numeric, p_ecrit numeric) returns void
language plpgsql stable as $$
begin
  perform core.refuser(400, 'RELEVE_FAUX',
    format('Ce relevé ne tombe pas juste%s : ses lignes donnent un solde de %s, et il écrit %s. Rien n''est pris.',
           coalesce(' à la ligne ' || p_ligne, ''), core.montant_ecrire(p_attendu), core.montant_ecrire(p_ecrit)),
    jsonb_build_object('ligne', p_ligne, 'attendu', p_attendu::text, 'ecrit', p_ecrit::text));
end $$;
comment on function tresorerie._solde_faux is 'Refuse un relevé dont l''ouverture et les lignes ne font pas le solde : RELEVE_FAUX.';

create function tresorerie._releve_verifier(p_parties jsonb, p_lignes tresorerie.ligne_lue[]) returns void
language plpgsql stable as $$
begin
  perform tresorerie._solde_faux(x.ligne, x.solde, x.ecrit)
     from (select l.ligne, l.solde, l.ecrit from unnest(p_lignes) l
            where l.ecrit <> l.solde order by l.partie, l.ordre limit 1) x;
  perform tresorerie._solde_faux(x.ligne, x.solde, x.cloture)
     from (select d.ligne, coalesce(d.solde, tresorerie._montant_lu(p.valeur ->> 'ouverture')) as solde,
                  tresorerie._montant_lu(p.valeur ->> 'cloture') as cloture
             from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
             left join lateral (select l.ligne, l.solde from unnest(p_lignes) l
                                 where l.partie = p.rang order by l.ordre desc limit 1) d on true
            order by p.rang) x
    where x.solde <> x.cloture;
end $$;
comment on function tresorerie._releve_verifier is 'Ouverture + lignes = clôture, dans chaque partie d''un fichier. Refuse RELEVE_FAUX.';

create function tresorerie._releve_prouve(p_parties jsonb, p_lignes tresorerie.ligne_lue[]) returns boolean
language sql stable
return (
  select coalesce(bool_and(p.valeur ->> 'ouverture' is not null and p.valeur ->> 'cloture' is not null
                           or coalesce(l.ecrits, false)), false)
    from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
    left join (select x.partie, bool_and(x.ecrit is not null) as ecrits from unnest(p_lignes) x group by x.partie) l
      on l.partie = p.rang);
comment on function tresorerie._releve_prouve is 'Vrai si les soldes d''un fichier prouvent la somme de ses lignes.';

-- A bank may write all accounts of a client into one file.
create function tresorerie._releve_du_compte(p_compte tresorerie.compte, p_parties jsonb) returns jsonb
language plpgsql stable as $$
declare
  v_connu text := nullif(regexp_replace(upper((p_compte).identifiant), '[^A-Z0-9]', '', 'g'), '');
  v_devise text := core.parametre('DEVISE_DEFAUT');
  v_parties jsonb;
  v_comptes text[];
  v_autre text;
begin
  select jsonb_agg(p.valeur order by p.rang), array_agg(distinct x.lu) into v_parties, v_comptes
    from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
   cross join lateral (select nullif(regexp_replace(upper(p.valeur ->> 'compte'), '[^A-Z0-9]', '', 'g'), '')) x (lu)
   where coalesce(strpos(x.lu, v_connu) + strpos(v_connu, x.lu) > 0, true);
  if v_parties is null then
    perform core.refuser(409, 'RELEVE_D_UN_AUTRE_COMPTE',
      format('Ce relevé est celui du compte %s, et « %s » est le compte %s.', left(p_parties -> 0 ->> 'compte', 40),
             (p_compte).libelle, (p_compte).identifiant));
  elsif cardinality(v_comptes) > 1 then
    perform core.refuser(409, 'RELEVE_DE_PLUSIEURS_COMPTES',
      'Ce fichier a les relevés de plusieurs comptes : donnez à celui-ci son numéro (« identifiant »).');
  end if;
  select p.valeur ->> 'devise' into v_autre
    from jsonb_array_elements(v_parties) p (valeur)
   where v_devise ~ '^[A-Z]{3,4}$'
     and p.valeur ->> 'devise' <> all (case v_devise when 'FCFA' then '{FCFA,XOF,XAF}' else array[v_devise] end)
   limit 1;
  if found then
    perform core.refuser(400, 'RELEVE_D_UNE_AUTRE_DEVISE',
                         format('Ce relevé est en %s, et vos livres en %s.', left(v_autre, 10), v_devise));
  end if;
  return v_parties;
end $$;
comment on function tresorerie._releve_du_compte is
  'Parties d''un fichier qui sont de ce compte. Refuse RELEVE_D_UN_AUTRE_COMPTE, RELEVE_DE_PLUSIEURS_COMPTES, RELEVE_D_UNE_AUTRE_DEVISE.';

-- Among equal lines the balance tells which one of the account a line of the file is. The others take the numbers that
-- are left, in their order.
create function tresorerie._lignes_reconnaitre(p_id_compte bigint, p_lignes tresorerie.ligne_lue[])
returns tresorerie.ligne_lue[]
language sql stable set enable_nestloop = off
begin atomic
  with f as (
    select l as lue, l.empreinte, l.occurrence, count(*) over (partition by l.empreinte) as nombre,
           row_number() over (partition by l.empreinte, l.solde order by l.occurrence) as rang
      from unnest(p_lignes) l
  ), reconnues as (
    select f.empreinte, f.occurrence, e.occurrence as connue
      from f
      join (select t.empreinte, t.occurrence, t.solde,
                   row_number() over (partition by t.empreinte, t.solde order by t.occurrence) as rang
              from tresorerie.ligne t
             where t.id_compte = p_id_compte and t.empreinte in (select x.empreinte from f x)) e
        on e.empreinte = f.empreinte and e.solde = (f.lue).solde and e.rang = f.rang
  ), libres as (
    select n.empreinte, n.numero, row_number() over (partition by n.empreinte order by n.numero) as rang
      from (select g.empreinte, generate_series(1, g.nombre) as numero
              from (select distinct f.empreinte, f.nombre from f) g
            except
            select r.empreinte, r.connue from reconnues r) n
  ), autres as (
    select f.empreinte, f.occurrence, row_number() over (partition by f.empreinte order by f.occurrence) as rang
      from f left join reconnues r on r.empreinte = f.empreinte and r.occurrence = f.occurrence
     where r.connue is null
  )
  select array(
    select row((f.lue).partie, (f.lue).ordre, (f.lue).ligne, (f.lue).jour, (f.lue).libelle, (f.lue).reference,
               (f.lue).identifiant, (f.lue).montant, (f.lue).ecrit, (f.lue).solde, f.empreinte,
               coalesce(r.connue, l.numero))::tresorerie.ligne_lue
      from f
      left join reconnues r on r.empreinte = f.empreinte and r.occurrence = f.occurrence
      left join autres a on a.empreinte = f.empreinte and a.occurrence = f.occurrence
      left join libres l on l.empreinte = a.empreinte and l.rang = a.rang
     order by (f.lue).partie, (f.lue).ordre);
end;
comment on function tresorerie._lignes_reconnaitre is
  'Les lignes d''un fichier, chacune au rang que ses pareilles ont dans le compte.';

-- The file says the order of its lines, and its balances. Another line of the same days keeps its place among the known
-- lines. Without a known line it stands before the file on the first day and after the file on the last day; in a file
-- of one day, before the file up to the balance that the file begins with.
create function tresorerie._lignes_ranger(p_id_compte bigint, p_lignes tresorerie.ligne_lue[]) returns void
language sql volatile set enable_nestloop = off
begin atomic
  with f as (select l.*, row_number() over (order by l.partie, l.ordre) as place from unnest(p_lignes) l),
  b as (select min(f.jour) as du, max(f.jour) as au, (array_agg(f.solde - f.montant order by f.place))[1] as ouverture
          from f),
  e as (
    select t.id_ligne, t.jour, t.rang, f.place, coalesce(f.solde, t.solde) as solde, b.du, b.au,
           max(f.place) filter (where t.rang > 0)
             over (partition by t.jour order by t.rang rows unbounded preceding) as apres,
           count(f.place) filter (where t.rang > 0) over (partition by t.jour) as connues,
           max(t.rang) filter (where f.place is null and t.solde = b.ouverture) over (partition by t.jour) as avant
      from b
      join tresorerie.ligne t on t.id_compte = p_id_compte and t.jour between b.du and b.au
      left join f on f.empreinte = t.empreinte and f.occurrence = t.occurrence
  ), r as (
    select e.id_ligne, e.solde, row_number() over (
             partition by e.jour
             order by coalesce(e.place, case when e.connues > 0 then coalesce(e.apres, 0)
                                             when e.du < e.au then case when e.jour = e.du then 0 else 1e9 end
                                             when e.rang > e.avant then 1e9 else 0 end),
                      e.place is null, e.rang, e.id_ligne) as rang
      from e
  )
  update tresorerie.ligne t set rang = r.rang, solde = r.solde
    from r
   where r.id_ligne = t.id_ligne and (t.rang, t.solde) is distinct from (r.rang, r.solde);
end;
comment on function tresorerie._lignes_ranger is 'Range les lignes des jours d''un relevé comme lui, et note ses soldes.';

create view tresorerie.releve_vue as
select r.id_releve, r.id_compte, r.fichier, r.format, r.du, r.au, r.lignes, r.prouve, r.id_utilisateur, r.date_creation
  from tresorerie.releve r
 where r.id_compte in (select c.id_compte from tresorerie.compte c where tresorerie._solde_visible(c));
comment on view tresorerie.releve_vue is 'Relevés des comptes dont l''utilisateur voit le solde.';
