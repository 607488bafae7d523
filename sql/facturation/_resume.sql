-- The sums of invoices by day, without cancelled ones (sql/core/_resume.sql). The day and the activity of an invoice
-- never change. Its cancellation, and the discount of a rent, update the sums.

create function facturation._resumer(p_jour date, p_id_activite bigint, p_nombre bigint, p_chiffre_affaires numeric)
returns void
language sql volatile as $$
  insert into facturation.resume_facture as r (jour, id_activite, nombre, chiffre_affaires)
  values (p_jour, p_id_activite, p_nombre, p_chiffre_affaires)
  on conflict on constraint resume_facture_unique do update
     set (nombre, chiffre_affaires) = row(r.nombre + excluded.nombre, r.chiffre_affaires + excluded.chiffre_affaires);
$$;
comment on function facturation._resumer(date, bigint, bigint, numeric) is 'Ajoute aux sommes d''un jour.';

create function facturation._factures_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select max(f.id_facture) from (
    select f.id_facture from facturation._facture_recente_vue f order by f.id_facture limit p_nombre) f);
  v_depuis bigint := core._resume_avancer('facturation.facture', 'facturation.facture_id_facture_seq', v_jusqu_a);
begin
  perform facturation._resumer(s.jour, s.id_activite, s.nombre, s.chiffre_affaires)
     from (select f.jour, f.id_activite, count(*) as nombre, sum(f.montant_total) as chiffre_affaires
             from facturation.facture f
            where f.id_facture > v_depuis and f.id_facture <= v_jusqu_a and not f.annulee
            group by f.jour, f.id_activite) s;
  return coalesce(v_jusqu_a - v_depuis, 0);
end $$;
comment on function facturation._factures_resumer(bigint) is
  'Résume les factures qui ne le sont pas, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

create function facturation._t50_facture_resume() returns trigger
language plpgsql volatile as $$
begin
  if core._resume_contient('facturation.facture', old.id_facture) then
    perform facturation._resumer(old.jour, old.id_activite, old.annulee::integer - new.annulee::integer,
                                 case when new.annulee then 0 else new.montant_total end
                                 - case when old.annulee then 0 else old.montant_total end);
  end if;
  return null;
end $$;
comment on function facturation._t50_facture_resume() is 'Retire des sommes une facture résumée qui s''annule, ou ce qu''une remise lui ôte.';

-- A payment updates only montant_paye, so PostgreSQL does not even read the condition.
create trigger t50_facture_resume after update of annulee, remise, montant_total on facturation.facture
  for each row when (old.annulee <> new.annulee or old.montant_total <> new.montant_total)
  execute function facturation._t50_facture_resume();

-- The upper bound and the offset make PostgreSQL read the recent rows by their identifier. It does not know that they are
-- few, and would otherwise read all days of a report in the index by day.
create view facturation._facture_recente_vue as
select f.* from facturation.facture f
 where f.id_facture between (select e.jusqu_a + 1 from core.resume_etat e where e.entite = 'facturation.facture')
                         and 9223372036854775807
offset 0;
comment on view facturation._facture_recente_vue is 'Factures qui ne sont pas encore résumées.';

-- The only definition of turnover: every report adds up this column (docs/dba.md).
create view facturation.facture_jour_vue as
select s.jour, s.id_activite, sum(s.nombre)::bigint as nombre, sum(s.chiffre_affaires)::core.somme as chiffre_affaires
  from (select r.jour, r.id_activite, r.nombre, r.chiffre_affaires from facturation.resume_facture r
        union all
        select f.jour, f.id_activite, 1, f.montant_total from facturation._facture_recente_vue f where not f.annulee) s
 where core._visible(s.id_activite, (select core.activite()))
 group by s.jour, s.id_activite
having sum(s.nombre) > 0;
comment on view facturation.facture_jour_vue is 'Factures émises par jour et par activité, sans les annulées.';
comment on column facturation.facture_jour_vue.nombre is 'Nombre de factures.';
comment on column facturation.facture_jour_vue.chiffre_affaires is 'Chiffre d''affaires : somme des factures émises ce jour, remises déduites.';
