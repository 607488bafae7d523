-- Lock: CLOTURE, exclusive, which a write on a past day holds shared until its end. A transaction that wrote while the
-- month was still running holds none, so the function first waits for the transactions that write now; every later one
-- sees the clock in the next month. It waits before it locks, because one of these may itself wait for the lock.

create function compta.periode_cloturer(p_periode core.periode) returns compta.periode_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v compta.periode;
begin
  perform compta._cloture_verifier(p_periode);
  if not core._identifiants_attendre(array['facturation.facture', 'facturation.avoir', 'finances.paiement',
                                           'finances.depense', 'tresorerie.virement', 'residence.caution',
                                           'rh.paie', 'market.mouvement_stock', 'compta.operation', 'achat.reception',
                                            'achat.facture', 'achat.avoir', 'achat.paiement']::regclass[]) then
    perform core.refuser(409, 'ECRITURES_EN_COURS', 'Des saisies sont en cours : recommencez dans un instant.');
  end if;
  perform pg_advisory_xact_lock(core._verrou('CLOTURE'), 0);
  perform compta._cloture_verifier(p_periode);
  v.premier_numero := coalesce((select max(e.numero) from compta.ecriture e), 0) + 1;
  insert into compta.ecriture (numero, type, id_document, id_ligne, journal, date, piece, compte, libelle, debit,
                               credit, reference, id_activite, id_caisse)
  select v.premier_numero - 1 + row_number() over (order by d.date, d.type, d.id_ligne),
         d.type, d.id_document, d.id_ligne, d.journal, d.date, d.piece, d.compte, d.libelle, d.debit,
         d.credit, d.reference, d.id_activite, d.id_caisse
    from compta._derivee_vue d
   where d.date between to_date(p_periode, 'YYYY-MM')
                    and (to_date(p_periode, 'YYYY-MM') + interval '1 month')::date - 1;
  select count(*), max(e.numero), coalesce(sum(e.debit), 0), coalesce(sum(e.credit), 0)
    into v.nombre, v.dernier_numero, v.total_debit, v.total_credit
    from compta.ecriture e where e.numero >= v.premier_numero;
  insert into compta.periode (periode, premier_numero, dernier_numero, nombre, total_debit, total_credit, empreinte,
                              id_utilisateur)
  values (p_periode, case when v.nombre > 0 then v.premier_numero end, v.dernier_numero, v.nombre, v.total_debit,
          v.total_credit,
          compta._empreinte((select p.empreinte from compta.periode p order by p.periode desc limit 1), p_periode,
                            v.premier_numero, v.dernier_numero), core.utilisateur());
  perform compta._cumuler(p_periode);
  return core._trouve((select p from compta.periode_vue p where p.periode = p_periode));
end $$;
comment on function compta.periode_cloturer is
  'Clôture un mois fini : ses écritures sont figées et numérotées à la suite du mois clôturé d''avant, et rien de daté jusqu''à lui ne change plus. Un mois sans écritures se clôture, ou se passe.';
