-- The sums of what payments settle (sql/core/_resume.sql). A payment from the credit of a client is in no sum, because
-- its money was received before. A payment that names its invoice is summed with the payments.

create function finances._resumer_application(p_jour date, p_source_type facturation.source_type, p_montant numeric)
returns void
language sql volatile as $$
  insert into finances.resume_application as r (jour, source_type, montant)
  values (p_jour, p_source_type, p_montant)
  on conflict on constraint resume_application_pkey do update set montant = r.montant + excluded.montant;
$$;
comment on function finances._resumer_application is 'Ajoute aux sommes d''un jour.';

create function finances._applications_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select max(a.id_application) from (
    select a.id_application from finances._application_recente_vue a order by a.id_application limit p_nombre) a);
  v_depuis bigint := core._resume_avancer('finances.application_paiement',
                                          'finances.application_paiement_id_application_seq', v_jusqu_a);
begin
  perform finances._resumer_application(s.jour, s.source_type, s.montant)
     from (select p.jour, f.source_type, sum(a.montant) as montant
             from finances.application_paiement a
             join finances.paiement p on p.id_paiement = a.id_paiement
             join facturation.facture f on f.id_facture = a.id_facture
            where a.id_application > v_depuis and a.id_application <= v_jusqu_a and not p.credit
            group by p.jour, f.source_type) s;
  return coalesce(v_jusqu_a - v_depuis, 0);
end $$;
comment on function finances._applications_resumer is
  'Résume les applications de paiement qui ne le sont pas, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

create function finances._t50_application_resume() returns trigger
language plpgsql volatile as $$
begin
  -- Also for a payment without applications: another transaction may be adding one, which the job would sum on the day
  -- that this transaction leaves.
  perform core._resume_contient('finances.application_paiement', 0);
  perform finances._resumer_application(j.jour, s.source_type, j.signe * s.montant)
     from (select f.source_type, sum(a.montant) as montant
             from finances.application_paiement a
             join facturation.facture f on f.id_facture = a.id_facture
            where a.id_paiement = old.id_paiement and a.id_application <= (
                    select e.jusqu_a from core.resume_etat e where e.entite = 'finances.application_paiement')
            group by f.source_type) s
    cross join (values (old.jour, -1), (new.jour, 1)) j (jour, signe);
  return null;
end $$;
comment on function finances._t50_application_resume is 'Déplace dans les sommes ce que règle un paiement dont le jour change.';

create trigger t50_application_resume after update of date, jour on finances.paiement
  for each row when (old.jour <> new.jour and not old.credit) execute function finances._t50_application_resume();

-- facturation._facture_recente_vue says why the view has an upper bound and an offset.
create view finances._application_recente_vue as
select a.* from finances.application_paiement a
 where a.id_application between (select e.jusqu_a + 1 from core.resume_etat e
                                  where e.entite = 'finances.application_paiement')
                         and 9223372036854775807
offset 0;
comment on view finances._application_recente_vue is 'Applications de paiement qui ne sont pas encore résumées.';

create view finances.application_jour_vue as
select r.jour, r.source_type, r.montant from finances.resume_application r
union all
select p.jour, f.source_type, a.montant::core.somme
  from finances._application_recente_vue a
  join finances.paiement p on p.id_paiement = a.id_paiement
  join facturation.facture f on f.id_facture = a.id_facture
 where not p.credit
union all
select p.jour, f.source_type, case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
  from finances._paiement_recent_vue p
  join facturation.facture f on f.id_facture = p.id_facture;
comment on view finances.application_jour_vue is
  'Ce que des paiements règlent, par jour du paiement et source de la facture, en plusieurs lignes à additionner.';
