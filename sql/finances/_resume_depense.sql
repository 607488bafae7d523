-- The sums of expenses by day (sql/core/_resume.sql). The till of an expense never changes.

create function finances._resumer_depense(p_jour date, p_id_activite bigint, p_id_caisse bigint, p_montant numeric)
returns void
language sql volatile as $$
  insert into finances.resume_depense as r (jour, id_activite, id_caisse, montant)
  values (p_jour, p_id_activite, p_id_caisse, p_montant)
  on conflict on constraint resume_depense_unique do update set montant = r.montant + excluded.montant;
$$;
comment on function finances._resumer_depense is 'Ajoute aux sommes d''un jour.';

create function finances._depenses_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select max(d.id_depense) from (
    select d.id_depense from finances._depense_recente_vue d order by d.id_depense limit p_nombre) d);
  v_depuis bigint := core._resume_avancer('finances.depense', 'finances.depense_id_depense_seq', v_jusqu_a);
begin
  perform finances._resumer_depense(s.jour, s.id_activite, s.id_caisse, s.montant)
     from (select d.jour, d.id_activite, d.id_caisse, sum(d.montant) as montant
             from finances.depense d
            where d.id_depense > v_depuis and d.id_depense <= v_jusqu_a and d.date_annulation is null
            group by d.jour, d.id_activite, d.id_caisse) s;
  return coalesce(v_jusqu_a - v_depuis, 0);
end $$;
comment on function finances._depenses_resumer is
  'Résume les dépenses qui ne le sont pas, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

create function finances._t50_depense_resume() returns trigger
language plpgsql volatile as $$
begin
  if core._resume_contient('finances.depense', old.id_depense) then
    if old.date_annulation is null then
      perform finances._resumer_depense(old.jour, old.id_activite, old.id_caisse, -old.montant);
    end if;
    if new.date_annulation is null then
      perform finances._resumer_depense(new.jour, new.id_activite, new.id_caisse, new.montant);
    end if;
  end if;
  return null;
end $$;
comment on function finances._t50_depense_resume is 'Déplace dans les sommes une dépense résumée qui change, ou l''en retire.';

create trigger t50_depense_resume after update on finances.depense
  for each row when ((old.jour, old.id_activite, old.montant, old.date_annulation)
                     is distinct from (new.jour, new.id_activite, new.montant, new.date_annulation))
  execute function finances._t50_depense_resume();

-- facturation._facture_recente_vue says why the view has an upper bound and an offset.
create view finances._depense_recente_vue as
select d.* from finances.depense d
 where d.id_depense between (select e.jusqu_a + 1 from core.resume_etat e where e.entite = 'finances.depense')
                         and 9223372036854775807
offset 0;
comment on view finances._depense_recente_vue is 'Dépenses qui ne sont pas encore résumées.';

create view finances._depense_jour_vue as
select r.jour, r.id_activite, r.id_caisse, r.montant from finances.resume_depense r
union all
select d.jour, d.id_activite, d.id_caisse, d.montant::core.somme
  from finances._depense_recente_vue d where d.date_annulation is null;
comment on view finances._depense_jour_vue is 'Dépenses par jour, activité et caisse, sans les supprimées, en plusieurs lignes à additionner.';
