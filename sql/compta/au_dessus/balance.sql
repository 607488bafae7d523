create type compta.ligne_de_balance as (
  compte text, libelle text, ouverture_debit core.somme, ouverture_credit core.somme, debit core.somme,
  credit core.somme, solde_debit core.somme, solde_credit core.somme, solde_precedent core.somme);
comment on type compta.ligne_de_balance is 'Un compte de la balance. La dernière ligne, TOTAL, est la somme des autres.';
comment on column compta.ligne_de_balance.ouverture_debit is
  'Solde à l''ouverture, les à-nouveaux de la période compris, s''il est débiteur ; un compte de charges ou de produits part de zéro au premier jour de l''année.';
comment on column compta.ligne_de_balance.solde_precedent is
  'Solde un an avant le dernier jour, négatif s''il est créditeur.';
call core.peut_etre_null('compta.ligne_de_balance', 'libelle');

create function compta.balance(p_du date default null, p_au date default null, p_id_activite bigint default null)
returns setof compta.ligne_de_balance
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with c as (
    select s.*, s.ouverture + s.debit - s.credit as solde
      from compta._soldes(core.premier_jour(p_du, p_au), coalesce(p_au, core.aujourdhui()), p_id_activite) s
  ), l as (
    select c.compte, compta._libelle_compte(c.compte) as libelle, greatest(c.ouverture, 0) as ouverture_debit,
           greatest(-c.ouverture, 0) as ouverture_credit, c.debit, c.credit, greatest(c.solde, 0) as solde_debit,
           greatest(-c.solde, 0) as solde_credit, c.precedent
      from c
     order by c.compte
  )
  select l.compte, l.libelle, l.ouverture_debit, l.ouverture_credit, l.debit, l.credit, l.solde_debit, l.solde_credit,
         l.precedent
    from l
  union all
  select 'TOTAL', null, sum(l.ouverture_debit), sum(l.ouverture_credit), sum(l.debit), sum(l.credit),
         sum(l.solde_debit), sum(l.solde_credit), sum(l.precedent)
    from l having count(*) > 0;
end;
comment on function compta.balance is
  'Balance des comptes d''un jour à un autre, avec leur solde un an avant ; ses débits et ses crédits sont égaux. Période par défaut : le mois en cours. La part d''une activité ou d''une caisse se balance par le compte de liaison 185.';
