-- Both books of an account at the evening of a day. The difference is the sum of the documents that are alone here,
-- minus the sum of the lines that are alone on the statement. A line and a document match on the later of their days;
-- until then each is alone. The books begin with the first line of a statement: the balance before it is one amount
-- on each side. Where the balances of two statements do not follow each other, the missing movements are one amount too.

create type tresorerie.nature_seule as enum (
  'LIGNE', 'PAIEMENT', 'DEPENSE', 'VIREMENT', 'FRAIS', 'OUVERTURE', 'MANQUE');
comment on type tresorerie.nature_seule is
  'LIGNE d''un relevé. PAIEMENT, DEPENSE, VIREMENT et ses FRAIS, d''ici. OUVERTURE : ce qu''il y avait avant la première ligne, s''il diffère. MANQUE : ce qu''un relevé qui n''est pas là a bougé.';

create type tresorerie.ligne_rapprochee as (
  id_ligne bigint, date date, libelle text, regle tresorerie.regle_rapprochement, id_paiement bigint, id_depense bigint,
  id_virement bigint, date_ici date, libelle_ici text, montant core.somme);
comment on type tresorerie.ligne_rapprochee is 'Une ligne de relevé et une pièce qu''elle est.';
call core.peut_etre_null('tresorerie.ligne_rapprochee', 'id_paiement', 'id_depense', 'id_virement');

create type tresorerie.ligne_seule as (
  nature tresorerie.nature_seule, id_ligne bigint, date date, libelle text, reference text, montant core.somme);
comment on type tresorerie.ligne_seule is 'Ce que le relevé a et qui n''est pas ici.';
call core.peut_etre_null('tresorerie.ligne_seule', 'id_ligne', 'reference');

create type tresorerie.piece_seule as (
  nature tresorerie.nature_seule, id_paiement bigint, id_depense bigint, id_virement bigint, date date, libelle text,
  montant core.somme);
comment on type tresorerie.piece_seule is 'Ce qui est ici et que le relevé n''a pas.';
call core.peut_etre_null('tresorerie.piece_seule', 'id_paiement', 'id_depense', 'id_virement');

create type tresorerie.proposition as (
  id_ligne bigint, date date, libelle text, montant core.somme, id_paiement bigint, id_depense bigint,
  id_virement bigint, date_ici date, libelle_ici text, montant_ici core.somme);
comment on type tresorerie.proposition is 'Une ligne seule, et une pièce qu''elle pourrait être.';
call core.peut_etre_null('tresorerie.proposition', 'id_paiement', 'id_depense', 'id_virement');

create type tresorerie.etat_du_rapprochement as (
  id_compte bigint, libelle text, solde_ici core.somme, solde_releve core.somme,
  difference core.somme, prouve boolean, rapproches tresorerie.ligne_rapprochee[],
  releve_seul tresorerie.ligne_seule[], ici_seul tresorerie.piece_seule[], propositions tresorerie.proposition[]);
comment on type tresorerie.etat_du_rapprochement is 'Un compte selon ses relevés et selon ces livres.';
comment on column tresorerie.etat_du_rapprochement.solde_ici is 'Solde d''ici au soir du dernier jour.';
comment on column tresorerie.etat_du_rapprochement.solde_releve is
  'Solde du relevé au soir du dernier jour ; null tant qu''aucun relevé n''y arrive.';
comment on column tresorerie.etat_du_rapprochement.difference is
  'solde_ici − solde_releve ; c''est la somme de ici_seul moins celle de releve_seul.';
comment on column tresorerie.etat_du_rapprochement.prouve is
  'Vrai si un relevé dit le solde ; sinon il part de celui d''ici la veille de sa première ligne.';
comment on column tresorerie.etat_du_rapprochement.rapproches is 'Lignes de la période, avec chaque pièce qu''elles sont.';
comment on column tresorerie.etat_du_rapprochement.releve_seul is 'Du relevé seul, depuis la première ligne du compte.';
comment on column tresorerie.etat_du_rapprochement.ici_seul is 'D''ici seul, depuis la première ligne du compte.';
comment on column tresorerie.etat_du_rapprochement.propositions is 'Pièces qu''une ligne seule pourrait être, cinq au plus pour chacune.';
call core.peut_etre_null('tresorerie.etat_du_rapprochement', 'solde_releve', 'difference');

create function tresorerie._propositions(p_id_compte bigint, p_lignes bigint[]) returns tresorerie.proposition[]
language sql stable set enable_nestloop = off
begin atomic
  with l as (select l.* from tresorerie.ligne l where l.id_ligne = any (p_lignes)),
  c as (
    select c.*, coalesce(p.reference, v.reference) as reference,
           row_number() over (partition by c.montant, c.jour order by c.cle) as rang
      from (select min(l.jour) - 31 as du, max(l.jour) + 31 as au from l) b
     cross join lateral tresorerie._candidats(p_id_compte, b.du, b.au) c
      left join finances.paiement p on p.id_paiement = c.id_paiement
      left join tresorerie.virement v on v.id_virement = c.id_virement
  ), x as (
    select l.id_ligne, c.cle, c.montant
      from l join c on c.montant = l.montant and c.jour between l.jour - 3 and l.jour + 3
     where c.rang <= 5
     union
    select l.id_ligne, c.cle, c.montant from l join c on c.reference = l.reference where c.rang <= 5
     union
    select l.id_ligne, c.cle, c.montant from l join c on c.reference = l.identifiant where c.rang <= 5
  ), y as (
    select l.id_ligne, l.jour, l.libelle, l.montant, c.id_paiement, c.id_depense, c.id_virement, c.jour as jour_ici,
           c.montant as montant_ici,
           row_number() over (
             partition by l.id_ligne order by c.montant <> l.montant, abs(c.jour - l.jour), c.cle) as rang
      from x join l on l.id_ligne = x.id_ligne join c on c.cle = x.cle and c.montant = x.montant
  )
  select array(
    select row(y.id_ligne, y.jour, y.libelle, y.montant, y.id_paiement, y.id_depense, y.id_virement, y.jour_ici,
               tresorerie._piece_libelle(y.id_paiement, y.id_depense, y.id_virement),
               y.montant_ici)::tresorerie.proposition
      from y where y.rang <= 5 order by y.jour, y.id_ligne, y.rang);
end;
comment on function tresorerie._propositions is
  'Pièces du même montant à trois jours près, ou de la même référence, que des lignes seules pourraient être.';

create type tresorerie._chaine as (
  debut date, depart numeric, cumul numeric, solde numeric, manques tresorerie.ligne_seule[]);
comment on type tresorerie._chaine is 'Les relevés d''un compte bout à bout : premier jour, solde avant lui, somme des lignes, dernier solde, ce qui manque.';

-- The base of a line is its balance without all lines until it. Where it changes, a statement is missing.
create function tresorerie._enchainer(p_id_compte bigint, p_au date) returns tresorerie._chaine
language sql stable
return (
  with l as (
    select l.*, l.solde - sum(l.montant) over w as base, row_number() over w as place
      from tresorerie.ligne l where l.id_compte = p_id_compte
    window w as (order by l.jour, l.rang, l.id_ligne rows unbounded preceding)
  ), b as (
    select l.*, l.base - lag(l.base) over (order by l.place) as saut from l where l.base is not null
  )
  select row((select min(l.jour) from l), (select b.base from b order by b.place limit 1),
             (select coalesce(sum(l.montant), 0) from l where l.jour <= p_au),
             (select b.base from b where b.jour <= p_au order by b.place desc limit 1),
             array(select row('MANQUE', null, b.jour, 'Mouvements d''un relevé qui manque, avant : ' || b.libelle,
                              null, b.saut)::tresorerie.ligne_seule
                     from b where b.saut <> 0 and b.jour <= p_au order by b.place))::tresorerie._chaine);
comment on function tresorerie._enchainer is 'Les relevés d''un compte bout à bout, jusqu''au soir d''un jour.';

create function tresorerie.rapprochement(p_id_compte bigint, p_du date default null, p_au date default null)
returns tresorerie.etat_du_rapprochement
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_compte tresorerie.compte := tresorerie._compte_lu(p_id_compte);
  v_du date := core.premier_jour(p_du, p_au);
  v_au date := coalesce(p_au, core.aujourdhui());
  v_chaine tresorerie._chaine := tresorerie._enchainer(p_id_compte, v_au);
  v_avant numeric;
  v tresorerie.etat_du_rapprochement;
begin
  v.id_compte := p_id_compte;
  v.libelle := v_compte.libelle;
  v.solde_ici := tresorerie._compte_solde(v_compte, v_au);
  v.prouve := v_chaine.depart is not null;
  with p as materialized (
    select p.*, r.regle, l.id_ligne, l.jour as jour_ligne, l.libelle,
           max(greatest(p.jour, l.jour)) over (partition by l.id_ligne) <= v_au and l.id_ligne is not null as ensemble
      from tresorerie._piece_vue p
      left join tresorerie.rapprochement r -- one document is in one column: equalities can be hashed
        on r.id_compte = p.id_compte and coalesce(r.id_paiement, 0) = coalesce(p.id_paiement, 0)
       and coalesce(r.id_depense, 0) = coalesce(p.id_depense, 0)
       and coalesce(r.id_virement, 0) = coalesce(p.id_virement, 0)
       and coalesce(r.part, 'MONTANT') = coalesce(p.part, 'MONTANT')
      left join tresorerie.ligne l on l.id_ligne = r.id_ligne
     where p.id_compte = p_id_compte and (p.jour >= v_chaine.debut or l.id_ligne is not null)
  )
  select tresorerie._compte_solde(v_compte, v_chaine.debut - 1)
           - coalesce((select sum(p.montant) from p where p.jour < v_chaine.debut), 0),
         array(select row(p.id_ligne, p.jour_ligne, p.libelle, p.regle, p.id_paiement, p.id_depense, p.id_virement,
                          p.jour, tresorerie._piece_libelle(p.id_paiement, p.id_depense, p.id_virement),
                          p.montant)::tresorerie.ligne_rapprochee
                 from p where p.ensemble and p.jour_ligne between v_du and v_au
                order by p.jour_ligne, p.id_ligne, p.jour, p.id_paiement),
         array(select row(case when p.id_paiement is not null then 'PAIEMENT'
                               when p.id_depense is not null then 'DEPENSE' when p.part = 'FRAIS' then 'FRAIS'
                               else 'VIREMENT' end, p.id_paiement, p.id_depense, p.id_virement, p.jour,
                          tresorerie._piece_libelle(p.id_paiement, p.id_depense, p.id_virement),
                          p.montant)::tresorerie.piece_seule
                 from p where not p.ensemble and p.jour <= v_au
                order by p.jour, p.id_paiement, p.id_depense, p.id_virement, p.part),
         array(select row('LIGNE', l.id_ligne, l.jour, l.libelle, coalesce(l.reference, l.identifiant),
                          l.montant)::tresorerie.ligne_seule
                 from tresorerie.ligne l
                where l.id_compte = p_id_compte and l.jour <= v_au
                  and not exists (select from p where p.id_ligne = l.id_ligne and p.ensemble)
                order by l.jour, l.rang, l.id_ligne)
    into v_avant, v.rapproches, v.ici_seul, v.releve_seul;
  v.propositions := tresorerie._propositions(p_id_compte, array(select (l).id_ligne from unnest(v.releve_seul) l));
  if v_chaine.debut > v_au then
    v_chaine.debut := null;
  end if;
  v.releve_seul := v.releve_seul || v_chaine.manques;
  if v_chaine.depart <> v_avant then
    v.releve_seul := row('OUVERTURE', null, v_chaine.debut - 1, 'Solde avant le premier relevé', null,
                         v_chaine.depart)::tresorerie.ligne_seule || v.releve_seul;
    v.ici_seul := row('OUVERTURE', null, null, null, v_chaine.debut - 1, 'Solde avant le premier relevé',
                      v_avant)::tresorerie.piece_seule || v.ici_seul;
  end if;
  if v_chaine.debut <= v_au then
    v.solde_releve := coalesce(v_chaine.solde, v_chaine.depart, v_avant) + v_chaine.cumul;
    v.difference := v.solde_ici - v.solde_releve;
  end if;
  return v;
end $$;
comment on function tresorerie.rapprochement is
  'Rapproche un compte de ses relevés, au soir du dernier jour : les deux soldes, leur différence, et ce qui l''explique au franc près. Sans dates, le mois en cours.';
