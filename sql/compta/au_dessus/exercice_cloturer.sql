-- Lock: CLOTURE, exclusive, after the last month has taken it where it is still open (periode_cloturer.sql says why).

create function compta._exercice_verifier(p_annee compta.annee) returns void
language plpgsql stable as $$
declare
  v_premier date := make_date(p_annee, 1, 1);
  v_dernier date := make_date(p_annee, 12, 31);
  v_ouverte date := (select min(r.date) from compta._repere_vue r
                      where r.date > compta._dernier_jour_clos() and r.date <= v_dernier);
  v_avant date := (select min(e.date) from compta.ecriture e
                    where e.date < v_premier
                      and e.date > coalesce((select make_date(max(x.annee), 12, 31) from compta.exercice_clos x),
                                            '-infinity'));
begin
  if exists (select from compta.exercice_clos x where x.annee = p_annee) then
    perform core.refuser(409, 'EXERCICE_CLOTURE', format('L''exercice %s est déjà clôturé.', p_annee));
  elsif v_ouverte is not null then
    perform core.refuser(409, 'PERIODE_PRECEDENTE_OUVERTE',
      format('Clôturez d''abord le mois %s, qui a des écritures.', to_char(v_ouverte, 'MM/YYYY')),
      jsonb_build_object('periode', to_char(v_ouverte, 'YYYY-MM')));
  elsif v_avant is not null then
    perform core.refuser(409, 'EXERCICE_PRECEDENT_OUVERT',
      format('Clôturez d''abord l''exercice %s, qui a des écritures.', to_char(v_avant, 'YYYY')),
      jsonb_build_object('annee', to_char(v_avant, 'YYYY')));
  elsif exists (select from compta._general_vue g where num_nulls(g.resultat, g.resultat_perte) > 0) then
    perform core.refuser(409, 'COMPTE_MANQUANT',
                         'Donnez d''abord un compte au bénéfice et à la perte d''un exercice clôturé.');
  end if;
end $$;
comment on function compta._exercice_verifier is 'Refuse un exercice qui ne peut pas se clôturer.';

create function compta.exercice_cloturer(p_annee compta.annee) returns compta.exercice_annuel_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_dernier date := make_date(p_annee, 12, 31);
begin
  perform compta._exercice_verifier(p_annee);
  if compta._dernier_jour_clos() < v_dernier then
    perform compta.periode_cloturer(to_char(v_dernier, 'YYYY-MM'));
  end if;
  perform pg_advisory_xact_lock(core._verrou('CLOTURE'), 0);
  perform compta._exercice_verifier(p_annee);
  insert into compta.exercice_clos (annee, id_utilisateur) values (p_annee, core.utilisateur());
  insert into compta.ecriture (numero, type, id_document, id_ligne, journal, date, piece, compte, libelle, debit,
                               credit, reference, id_activite, id_caisse)
  select (select coalesce(max(e.numero), 0) from compta.ecriture e) + row_number() over (order by d.id_ligne),
         d.type, d.id_document, d.id_ligne, d.journal, d.date, d.piece, d.compte, d.libelle, d.debit,
         d.credit, d.reference, d.id_activite, d.id_caisse
    from compta._derivee_vue d
   where d.type = 'RESULTAT'::text::compta.type_ecriture and d.date = v_dernier;
  perform compta._cumuler(to_char(v_dernier, 'YYYY-MM'));
  return core._trouve((select v from compta.exercice_annuel_vue v where v.annee = p_annee));
end $$;
comment on function compta.exercice_cloturer is
  'Clôture un exercice dont les mois qui ont des écritures sont clôturés. Une écriture de son dernier jour solde ses charges et ses produits, et porte le résultat au compte du bénéfice ou de la perte ; les soldes des autres comptes ouvrent l''exercice suivant tels quels.';
-- The function has refused a month with entries before.
call core.ne_refuse_pas('compta.exercice_cloturer', 'PERIODE_CLOTUREE');
