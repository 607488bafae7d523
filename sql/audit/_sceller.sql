-- A write to a sealed table costs nothing more. Lock: SCEAU, one sealing at a time.

create type audit.suite_scellee as (registre audit.registre, suite regclass, dernier bigint);
comment on type audit.suite_scellee is 'Suite des identifiants d''un registre, et le dernier qu''elle a donné.';

-- Reading a sequence does not lock it as a writer does; pg_sequence_last_value would.
create function audit._suites() returns setof audit.suite_scellee
language sql volatile
begin atomic
  select s.registre, s.suite, coalesce(s.dernier, 0)
    from (values ('journal'::audit.registre, 'audit.journal_id_trace_seq'::regclass,
                  (select q.last_value from audit.journal_id_trace_seq q where q.is_called)),
                 ('facture', 'facturation.facture_id_facture_seq',
                  (select q.last_value from facturation.facture_id_facture_seq q where q.is_called)),
                 ('paiement', 'finances.paiement_id_paiement_seq',
                  (select q.last_value from finances.paiement_id_paiement_seq q where q.is_called)),
                 ('application_paiement', 'finances.application_paiement_id_application_seq',
                  (select q.last_value from finances.application_paiement_id_application_seq q where q.is_called)),
                 ('avoir', 'facturation.avoir_id_avoir_seq',
                  (select q.last_value from facturation.avoir_id_avoir_seq q where q.is_called)))
         s (registre, suite, dernier)
   order by s.registre;
end;
comment on function audit._suites is 'Registres, dans leur ordre, et où en sont leurs identifiants.';

create type audit.scellement as (
  entrees bigint, complet boolean, rang bigint, date timestamptz, empreinte text);
comment on type audit.scellement is 'Ce qu''un scellement a fait, et le dernier sceau de la chaîne.';
comment on column audit.scellement.entrees is 'Entrées que cet appel a scellées.';
comment on column audit.scellement.complet is 'Faux si des écritures trop longues ont fait remettre le scellement au prochain.';
comment on column audit.scellement.rang is 'Rang du dernier sceau, null s''il n''y en a aucun.';
comment on column audit.scellement.empreinte is 'Empreinte du dernier sceau, à garder hors de la base.';
call core.peut_etre_null('audit.scellement', 'rang', 'date', 'empreinte');

create function audit._sceller() returns audit.scellement
language plpgsql volatile as $$
declare
  v audit.scellement;
  v_suites audit.suite_scellee[];
begin
  perform pg_advisory_xact_lock(core._verrou('SCEAU'), 0);
  -- The function reads the last identifier of each sequence, then waits for the transactions that may still commit one.
  -- The next statement then sees every entry up to that identifier, and a missing one can no longer appear.
  v_suites := array(select s from audit._suites() s);
  v.complet := core._identifiants_attendre(array(select s.suite from unnest(v_suites) s));
  v.entrees := case when v.complet then audit._sceaux_ajouter(v_suites) else 0 end;
  select s.rang, s.date, encode(s.empreinte, 'hex') into v.rang, v.date, v.empreinte
    from audit.sceau s order by s.rang desc limit 1;
  if v.entrees > 0 then
    raise log 'comptoir: sceau % %', v.rang, v.empreinte;
  end if;
  return v;
end $$;
comment on function audit._sceller is
  'Scelle tout ce qui est écrit et ne l''est pas encore, et note le dernier sceau au journal du serveur. Attend deux secondes au plus les écritures en cours. Refuse ISOLATION_IMPREVUE.';

create function audit._sceaux_ajouter(p_suites audit.suite_scellee[]) returns bigint
language plpgsql volatile as $$
declare
  v_suite audit.suite_scellee;
  v_lot record;
  v_sceau audit.sceau;
  v_precedente bytea;
  v_pousse audit.pousse;
  v_entrees bigint := 0;
begin
  perform audit._feuillage_reprendre();
  v_pousse := audit._pousse();
  select s.rang, s.empreinte into v_sceau.rang, v_precedente from audit.sceau s order by s.rang desc limit 1;
  foreach v_suite in array p_suites loop
    v_sceau.registre := v_suite.registre;
    v_sceau.au_id := coalesce((select max(s.au_id) from audit.sceau s where s.registre = v_suite.registre), 0);
    for v_lot in
      select (e.id - 1) / 10000 + 1 as lot, array_agg(e.id order by e.id) as ids,
             array_agg(e.sel order by e.id) as sels,
             array_agg(audit._engager(e.sel, e.empreinte, e.enonce) order by e.id) as empreintes
        from (select v.*, audit._sel() as sel from audit.empreinte_vue v
               where v.registre = v_suite.registre and v.id > v_sceau.au_id and v.id <= v_suite.dernier offset 0) e
       group by 1 order by 1
    loop
      v_sceau.rang := coalesce(v_sceau.rang, 0) + 1;
      v_sceau.date := clock_timestamp();
      v_sceau.du_id := v_sceau.au_id + 1;
      v_sceau.au_id := least(v_lot.lot * 10000, v_suite.dernier);
      v_sceau.ids := v_lot.ids;
      v_sceau.empreintes := v_lot.empreintes;
      v_sceau.taille := v_pousse.taille + cardinality(v_lot.ids);
      v_pousse := audit._pousser(v_pousse, v_lot.empreintes);
      v_sceau.racine := audit._racine_de(v_pousse);
      v_sceau.empreinte := audit._sceau_empreinte(v_precedente, v_sceau);
      insert into audit.sceau select v_sceau.*;
      insert into audit.feuillage (rang, premiere, sels)
      values (v_sceau.rang, v_sceau.taille - cardinality(v_lot.ids), v_lot.sels);
      v_precedente := v_sceau.empreinte;
      v_entrees := v_entrees + cardinality(v_lot.ids);
    end loop;
  end loop;
  return v_entrees;
end $$;
comment on function audit._sceaux_ajouter is 'Ajoute à la chaîne les sceaux qui manquent, et rend leurs entrées.';
