-- Matches without a person: a line and a document that fit each other and nothing else. The rest is proposed
-- (rapprochement.sql).

-- A word of many lines, or of many documents, names none of them.
create function tresorerie._commun() returns integer
language sql immutable parallel safe
return 20;
comment on function tresorerie._commun is 'Nombre de lignes ou de pièces au-delà duquel un mot n''en désigne plus aucune.';

create type tresorerie.candidat as (
  cle text, jour date, montant numeric, parts tresorerie.part_virement[], id_paiement bigint, id_depense bigint,
  id_virement bigint);
comment on type tresorerie.candidat is 'Pièce qui peut être une ligne ; un virement et ses frais le sont ensemble, ou lui seul.';

-- A cancelled document and its counter-document reached the bank both, or neither did: a person knows.
create function tresorerie._candidats(p_id_compte bigint, p_du date, p_au date) returns setof tresorerie.candidat
language sql stable set enable_nestloop = off
begin atomic
  select case when p.id_paiement is not null then 'P' || p.id_paiement
              when p.id_depense is not null then 'D' || p.id_depense else 'V' || p.id_virement end,
         min(p.jour), sum(p.montant), nullif(array_agg(p.part order by p.part), '{null}'), p.id_paiement, p.id_depense,
         p.id_virement
    from tresorerie._piece_vue p
   where p.id_compte = p_id_compte and p.jour between p_du and p_au
     and not exists (select from tresorerie.rapprochement r where r.id_paiement = p.id_paiement)
     and not exists (select from tresorerie.rapprochement r where r.id_depense = p.id_depense)
     and not exists (select from tresorerie.rapprochement r
                      where r.id_virement = p.id_virement and r.id_compte = p_id_compte)
     and not exists (select from finances.paiement c where c.id_paiement_origine = p.id_paiement and c.annulation)
     and not exists (select from finances.paiement c where c.id_paiement = p.id_paiement and c.annulation)
     and not exists (select from tresorerie.virement c where c.id_virement_origine = p.id_virement)
     and not exists (select from tresorerie.virement c
                      where c.id_virement = p.id_virement and c.id_virement_origine is not null)
   group by grouping sets ((p.id_paiement, p.id_depense, p.id_virement),
                           (p.id_paiement, p.id_depense, p.id_virement, p.part))
  having grouping(p.part) = 1 or p.part = 'MONTANT' and exists (
    select from tresorerie.virement v
    where v.id_virement = p.id_virement and v.frais > 0 and v.id_compte_de = p_id_compte);
end;
comment on function tresorerie._candidats is 'Pièces d''un compte, entre deux jours, qui ne sont encore aucune ligne.';

create function tresorerie._mots(p_texte text) returns setof text
language sql immutable parallel safe
begin atomic
  select distinct m from regexp_split_to_table(upper(p_texte), '[^A-Z0-9_-]+') m
   where length(m) between 6 and 100 and m ~ '[0-9]';
end;
comment on function tresorerie._mots is 'Mots d''un libellé qui peuvent être un numéro.';

create function tresorerie._paires_par_mot(
  p_lignes tresorerie.ligne[], p_candidats tresorerie.candidat[], p_regle tresorerie.regle_rapprochement)
returns table (id_ligne bigint, cle text, montant numeric)
language sql stable set enable_nestloop = off
begin atomic
  with l as (
    select l.id_ligne, l.montant, m.mot, count(*) over (partition by m.mot) as nombre
      from unnest(p_lignes) l
     cross join lateral (
       select distinct upper(btrim(x.mot)) as mot from (values (l.identifiant), (l.reference)) x (mot)
        where p_regle = 'TRANSACTION' and btrim(x.mot) <> ''
        union
       select x.mot from tresorerie._mots(concat_ws(' ', l.libelle, l.reference)) x (mot)
        where p_regle = 'REFERENCE') m
  ), c as (
    select c.cle, c.montant, m.mot, count(*) over (partition by m.mot) as nombre
      from unnest(p_candidats) c
      left join finances.paiement p on p.id_paiement = c.id_paiement
      left join tresorerie.virement v on v.id_virement = c.id_virement
     cross join lateral (
       select upper(btrim(coalesce(p.reference, v.reference))) as mot
        where btrim(coalesce(p.reference, v.reference)) <> ''
        union
       select x.mot from (values (v.numero::text), (finances._paiement_numero(p.id_paiement))) x (mot)
        where p_regle = 'REFERENCE' and x.mot is not null
        union
       select f.numero from finances.imputation_vue i join facturation.facture f on f.id_facture = i.id_facture
        where p_regle = 'REFERENCE' and i.id_paiement = c.id_paiement) m
  )
  select distinct l.id_ligne, c.cle, l.montant::numeric from l join c on c.mot = l.mot and c.montant = l.montant
   where l.nombre <= tresorerie._commun() and c.nombre <= tresorerie._commun();
end;
comment on function tresorerie._paires_par_mot is 'Lignes et pièces du même montant qui ont un mot en commun.';

-- Lines and documents of one amount and one day are counted together: ten thousand equal lines cost no more than ten.
create function tresorerie._paires_par_montant(p_lignes tresorerie.ligne[], p_candidats tresorerie.candidat[])
returns table (id_ligne bigint, cle text, montant numeric)
language sql stable set enable_nestloop = off
begin atomic
  with l as (select l.montant, l.jour, count(*) as nombre, min(l.id_ligne) as id_ligne
               from unnest(p_lignes) l group by l.montant, l.jour),
       c as (select c.montant, c.jour, count(*) as nombre, min(c.cle) as cle
               from unnest(p_candidats) c group by c.montant, c.jour),
       x as (select l.id_ligne, l.nombre as lignes, c.cle, c.nombre as pieces, l.montant,
                    sum(c.nombre) over (partition by l.montant, l.jour) as pieces_de_la_ligne,
                    sum(l.nombre) over (partition by c.montant, c.jour) as lignes_de_la_piece
               from l join c on c.montant = l.montant and c.jour between l.jour - 3 and l.jour + 3)
  select x.id_ligne, x.cle, x.montant::numeric from x where x.pieces_de_la_ligne = 1 and x.lignes_de_la_piece = 1;
end;
comment on function tresorerie._paires_par_montant is 'Lignes et pièces seules de leur montant à trois jours près.';

create function tresorerie._rapprocher(p_id_compte bigint) returns bigint
language plpgsql volatile as $$
declare
  v_regle tresorerie.regle_rapprochement;
  v_lignes tresorerie.ligne[];
  v_candidats tresorerie.candidat[];
  v_du date;
  v_au date;
  v_nombre bigint;
  v_total bigint := 0;
begin
  foreach v_regle in array '{TRANSACTION,REFERENCE,MONTANT}'::tresorerie.regle_rapprochement[] loop
    select array_agg(l), min(l.jour) - 31, max(l.jour) + 31 into v_lignes, v_du, v_au
      from tresorerie.ligne l
     where l.id_compte = p_id_compte and l.jour > compta._dernier_jour_clos()
       and not exists (select from tresorerie.rapprochement r where r.id_ligne = l.id_ligne);
    v_candidats := array(select c from tresorerie._candidats(p_id_compte, v_du, v_au) c);
    insert into tresorerie.rapprochement (id_ligne, id_compte, id_paiement, id_depense, id_virement, part, regle,
                                          id_utilisateur)
    select s.id_ligne, p_id_compte, c.id_paiement, c.id_depense, c.id_virement, t.part, v_regle, core.utilisateur()
      from (select p.*, count(*) over (partition by p.id_ligne) as pieces, count(*) over (partition by p.cle) as lignes
              from (select * from tresorerie._paires_par_mot(v_lignes, v_candidats, v_regle) where v_regle <> 'MONTANT'
                    union all
                    select * from tresorerie._paires_par_montant(v_lignes, v_candidats) where v_regle = 'MONTANT') p) s
      join unnest(v_candidats) c on c.cle = s.cle and c.montant = s.montant
     cross join lateral unnest(coalesce(c.parts, '{null}')) t (part)
     where s.pieces = 1 and s.lignes = 1;
    get diagnostics v_nombre = row_count;
    v_total := v_total + v_nombre;
  end loop;
  return v_total;
end $$;
comment on function tresorerie._rapprocher is
  'Rapproche les lignes des mois ouverts d''un compte, règle après règle ; rend le nombre de pièces rapprochées.';
