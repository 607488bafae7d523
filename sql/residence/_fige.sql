-- Rows that are never rewritten: history, and rows on which money or a room depends.

create function residence._t20_fige() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'LIGNE_FIGEE',
    'Cette ligne ne se modifie plus et ne s''efface pas : d''autres en dépendent.',
    jsonb_build_object('table', tg_table_schema || '.' || tg_table_name));
  return null;
end $$;
comment on function residence._t20_fige is 'Refuse de réécrire ou d''effacer une ligne dont d''autres ont été tirées.';
-- A guard: no operation does this.
call core.ne_refuse_pas('residence._t20_fige', 'LIGNE_FIGEE');

do $$
declare
  v_table regclass;
begin
  foreach v_table in array '{residence.revision_loyer, residence.caution_evenement, residence.caution,
                             residence.charge_facturee, residence.sejour_court, residence.abonnement,
                             residence.abonnement_periode}'::regclass[] loop
    execute format('create trigger t20_ligne_figee before delete on %s
                    for each row execute function residence._t20_fige()', v_table);
  end loop;
end $$;

-- A reason goes with the data of an erased client.
create trigger t20_ligne_figee_change before update on residence.revision_loyer
  for each row when (new.motif is not null or to_jsonb(new) - 'motif' <> to_jsonb(old) - 'motif')
  execute function residence._t20_fige();
create trigger t20_ligne_figee_change before update on residence.caution_evenement
  for each row when (new.motif is not null or to_jsonb(new) - 'motif' <> to_jsonb(old) - 'motif')
  execute function residence._t20_fige();

-- The payment of a deposit may replace its declared amount. After the payment, the amount and its day no longer change,
-- until the deposit is given back whole and declared again.
create trigger t20_ligne_figee_montant before update of montant, id_contrat, date_versement on residence.caution
  for each row when (new.id_contrat <> old.id_contrat
                     or old.payee
                        and (new.montant, new.date_versement) is distinct from (old.montant, old.date_versement)
                        and (old.retenue is distinct from 0 or new.date_versement is not null))
  execute function residence._t20_fige();

-- Another amount or client gives a period another invoice. The nightly job bills the days that no period has.
create trigger t20_ligne_figee_change before update of id_abonnement, date_debut, date_fin
  on residence.abonnement_periode for each row execute function residence._t20_fige();

create trigger t20_ligne_figee_facture before update of montant, id_logement, id_client on residence.charge_facturee
  for each row when ((new.montant, new.id_logement, new.id_client) is distinct from
                       (old.montant, old.id_logement, old.id_client)
                     and facturation._source_facturee('CHARGE', old.id_charge))
  execute function residence._t20_fige();

-- Only the triggers of leases and stays delete an occupation.
create trigger t20_ligne_figee before delete on residence.occupation
  for each row when (pg_trigger_depth() < 1) execute function residence._t20_fige();
