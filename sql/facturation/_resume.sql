-- The sums of invoices (sql/core/_resume.sql), and of credit notes, which are few and are summed when they are issued.

create function facturation._resumer(
  p_jour date, p_id_activite bigint, p_nombre bigint, p_factures numeric, p_avoirs numeric default 0)
returns void
language sql volatile as $$
  insert into facturation.resume_facture as r (jour, id_activite, nombre, factures, avoirs)
  values (p_jour, p_id_activite, p_nombre, p_factures, p_avoirs)
  on conflict on constraint resume_facture_unique do update
     set (nombre, factures, avoirs) = row(r.nombre + excluded.nombre, r.factures + excluded.factures,
                                          r.avoirs + excluded.avoirs);
$$;
comment on function facturation._resumer is 'Ajoute aux sommes d''un jour.';

-- An invoice that was cancelled before there were credit notes was simply void: its amount counts on no day.
create function facturation._montant_facture(p_facture facturation.facture) returns numeric
language sql immutable parallel safe
return case when (p_facture).annulee and (p_facture).montant_avoirs < (p_facture).montant_total then 0
            else (p_facture).montant_total end;
comment on function facturation._montant_facture is 'Ce qu''une facture compte au jour de son émission.';

create function facturation._factures_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select max(f.id_facture) from (
    select f.id_facture from facturation._facture_recente_vue f order by f.id_facture limit p_nombre) f);
  v_depuis bigint := core._resume_avancer('facturation.facture', 'facturation.facture_id_facture_seq', v_jusqu_a);
begin
  perform facturation._resumer(s.jour, s.id_activite, s.nombre, s.factures)
     from (select f.jour, f.id_activite, count(*) filter (where not f.annulee) as nombre,
                  sum(facturation._montant_facture(f)) as factures
             from facturation.facture f
            where f.id_facture > v_depuis and f.id_facture <= v_jusqu_a
            group by f.jour, f.id_activite) s;
  return coalesce(v_jusqu_a - v_depuis, 0);
end $$;
comment on function facturation._factures_resumer is
  'Résume les factures qui ne le sont pas, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

create function facturation._t50_facture_resume() returns trigger
language plpgsql volatile as $$
begin
  if core._resume_contient('facturation.facture', old.id_facture) then
    perform facturation._resumer(old.jour, old.id_activite, old.annulee::integer - new.annulee::integer,
                                 facturation._montant_facture(new) - facturation._montant_facture(old));
  end if;
  return null;
end $$;
comment on function facturation._t50_facture_resume is 'Retire du nombre une facture résumée qui s''annule.';

-- A payment updates only montant_paye, so PostgreSQL does not even read the condition.
create trigger t50_facture_resume after update of annulee on facturation.facture
  for each row when (old.annulee <> new.annulee)
  execute function facturation._t50_facture_resume();

create function facturation._t50_avoir_resume() returns trigger
language plpgsql volatile as $$
begin
  perform facturation._resumer(new.jour, new.id_activite, 0, 0, new.montant_total);
  return null;
end $$;
comment on function facturation._t50_avoir_resume is 'Ajoute un avoir aux sommes de son jour.';

create trigger t50_avoir_resume after insert on facturation.avoir
  for each row execute function facturation._t50_avoir_resume();

-- The upper bound and the offset make PostgreSQL read the recent rows by their identifier. It does not know that they
-- are few, and would otherwise read all days of a report in the index by day.
create view facturation._facture_recente_vue as
select f.* from facturation.facture f
 where f.id_facture between (select e.jusqu_a + 1 from core.resume_etat e where e.entite = 'facturation.facture')
                         and 9223372036854775807
offset 0;
comment on view facturation._facture_recente_vue is 'Factures qui ne sont pas encore résumées.';

-- The only definition of turnover: every report adds up this column (docs/dba.md).
-- The condition is the same as in facturation._montant_facture, which the read-only role may not execute.
create view facturation.facture_jour_vue as
select s.jour, s.id_activite, sum(s.nombre)::bigint as nombre,
       sum(s.factures - s.avoirs)::core.somme as chiffre_affaires,
       sum(s.factures)::core.somme as montant_factures, sum(s.avoirs)::core.somme as montant_avoirs
  from (select r.jour, r.id_activite, r.nombre, r.factures, r.avoirs from facturation.resume_facture r
        union all
        select f.jour, f.id_activite, (not f.annulee)::integer,
               case when f.annulee and f.montant_avoirs < f.montant_total then 0 else f.montant_total end, 0
          from facturation._facture_recente_vue f) s
 where core._visible(s.id_activite, (select core.activite()))
 group by s.jour, s.id_activite
having sum(s.nombre) > 0 or sum(s.factures) <> 0 or sum(s.avoirs) <> 0;
comment on view facturation.facture_jour_vue is 'Factures et avoirs par jour de leur émission et par activité.';
comment on column facturation.facture_jour_vue.nombre is 'Nombre de factures, sans les annulées.';
comment on column facturation.facture_jour_vue.chiffre_affaires is 'Chiffre d''affaires : factures émises ce jour, remises déduites, moins les avoirs émis ce jour.';
comment on column facturation.facture_jour_vue.montant_factures is 'Somme des factures émises ce jour, remises déduites, celles qu''un avoir a annulées depuis comprises.';
comment on column facturation.facture_jour_vue.montant_avoirs is 'Somme des avoirs émis ce jour.';
