-- A statement as app/leaves/providers/statement.py reads it: the parts of a file, each with its own balances. A part is
-- { compte, devise, ouverture, cloture, lignes: [{ ligne, jour, libelle, reference, identifiant, montant, solde }] },
-- where everything but « jour », « libelle » and « montant » may be null.

create type tresorerie.ligne_lue as (
  partie bigint, ordre bigint, ligne integer, jour date, libelle text, reference text, identifiant text,
  montant numeric, ecrit numeric, solde numeric, empreinte text, occurrence bigint);
comment on type tresorerie.ligne_lue is 'Ligne d''un fichier : son solde écrit, et celui que donnent les lignes d''avant.';

-- A sheet without an opening balance may begin with its last day; within one day the balances tell. Its opening balance
-- is the one before its first written balance. Without any, a closing balance gives the opening one.
create function tresorerie._releve_lire(p_parties jsonb) returns setof tresorerie.ligne_lue
language sql stable
begin atomic
  with parties as (
    select p.rang as partie, (p.valeur ->> 'ouverture')::numeric as ouverture,
           (p.valeur ->> 'cloture')::numeric as cloture, p.valeur -> 'lignes' as lignes
      from jsonb_array_elements(p_parties) with ordinality p (valeur, rang)
  ), brutes as (
    select p.partie, l.rang, (l.valeur ->> 'ligne')::integer as ligne, (l.valeur ->> 'jour')::date as jour,
           l.valeur ->> 'libelle' as libelle, l.valeur ->> 'reference' as reference,
           l.valeur ->> 'identifiant' as identifiant, (l.valeur ->> 'montant')::numeric as montant,
           (l.valeur ->> 'solde')::numeric as ecrit
      from parties p cross join lateral jsonb_array_elements(p.lignes) with ordinality l (valeur, rang)
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
         row_number() over (partition by e.empreinte, c.montant = 0 order by c.partie, c.ordre)
    from cumuls c
    join departs d on d.partie = c.partie
   cross join lateral (
     select encode(sha256(convert_to(
              concat_ws(E'\n', c.jour, trim_scale(c.montant), coalesce(c.identifiant, concat(c.libelle, E'\n', c.reference))),
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
     from (select d.ligne, coalesce(d.solde, (p.valeur ->> 'ouverture')::numeric) as solde,
                  (p.valeur ->> 'cloture')::numeric as cloture
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

create function tresorerie._releve_du_compte(p_compte tresorerie.compte, p_parties jsonb) returns void
language plpgsql stable as $$
declare
  v_devise text := core.parametre('DEVISE_DEFAUT');
  v record;
begin
  for v in
    select p.valeur ->> 'devise' as devise, regexp_replace(p.valeur ->> 'compte', '[^[:alnum:]]', '', 'g') as lu,
           regexp_replace((p_compte).identifiant, '[^[:alnum:]]', '', 'g') as connu
      from jsonb_array_elements(p_parties) p (valeur)
  loop
    if v.devise <> all (case v_devise when 'FCFA' then '{FCFA,XOF,XAF}' else array[v_devise] end)
       and v_devise ~ '^[A-Z]{3,4}$' then
      perform core.refuser(400, 'RELEVE_D_UNE_AUTRE_DEVISE', format('Ce relevé est en %s.', left(v.devise, 10)));
    elsif v.lu <> '' and v.connu <> ''
          and strpos(upper(v.lu), upper(v.connu)) + strpos(upper(v.connu), upper(v.lu)) = 0 then
      perform core.refuser(409, 'RELEVE_D_UN_AUTRE_COMPTE',
        format('Ce relevé est celui du compte %s, et « %s » est le compte %s.', left(v.lu, 40), (p_compte).libelle,
               (p_compte).identifiant));
    end if;
  end loop;
end $$;
comment on function tresorerie._releve_du_compte is
  'Refuse RELEVE_D_UNE_AUTRE_DEVISE, et RELEVE_D_UN_AUTRE_COMPTE si le relevé et le compte disent deux numéros.';

-- The last file says the order of its days, and the balances. On its first day lines of another file come before its
-- own, on its last day after them.
create function tresorerie._lignes_ranger(p_id_compte bigint, p_lignes tresorerie.ligne_lue[]) returns void
language sql volatile
begin atomic
  with bornes as (select min(l.jour) as du, max(l.jour) as au from unnest(p_lignes) l)
  update tresorerie.ligne t set rang = x.rang, solde = x.solde
    from (select l.id_ligne, coalesce(f.solde, l.solde) as solde,
                 row_number() over (partition by l.jour order by case when f.ordre is not null then 1
                                                                      when l.jour = b.du then 0 else 2 end,
                                                                 f.partie, f.ordre, l.rang, l.id_ligne) as rang
            from bornes b
            join tresorerie.ligne l on l.id_compte = p_id_compte and l.jour between b.du and b.au
            left join unnest(p_lignes) f on f.empreinte = l.empreinte and f.occurrence = l.occurrence
                                        and f.montant <> 0) x
   where x.id_ligne = t.id_ligne and (t.rang, t.solde) is distinct from (x.rang, x.solde);
end;
comment on function tresorerie._lignes_ranger is 'Range les lignes des jours d''un relevé comme lui, et note ses soldes.';

create view tresorerie.releve_vue as
select r.id_releve, r.id_compte, r.fichier, r.format, r.du, r.au, r.lignes, r.prouve, r.id_utilisateur, r.date_creation
  from tresorerie.releve r
 where r.id_compte in (select c.id_compte from tresorerie.compte c where tresorerie._solde_visible(c));
comment on view tresorerie.releve_vue is 'Relevés des comptes dont l''utilisateur voit le solde.';
