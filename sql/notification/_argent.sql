-- Notifications of large payments, and of till counts that differ from the expected amount. finances does not know
-- notifications: these triggers are on its tables.

create function notification._t90_paiement_important() returns trigger
language plpgsql volatile as $$
begin
  if new.montant >= core.parametre('SEUIL_PAIEMENT_IMPORTANT')::numeric then
    perform notification._emettre(
      'paiement.important', 'HIGH',
      case new.type when 'ENCAISSEMENT' then 'Encaissement important' else 'Décaissement important' end,
      format('%s, le %s%s.', core.montant_ecrire(new.montant), to_char(new.jour, 'DD/MM/YYYY'), ' : ' || new.motif),
      jsonb_build_object('id_paiement', new.id_paiement::text, 'montant', new.montant::text, 'type', new.type,
                         'id_caisse', new.id_caisse::text),
      'FINANCES.VOIR', new.id_caisse, new.id_activite, null, true);
  end if;
  return null;
end $$;
comment on function notification._t90_paiement_important is
  'Un paiement qui atteint SEUIL_PAIEMENT_IMPORTANT se signale à ceux qui voient les finances de sa caisse.';

-- SEUIL_PAIEMENT_IMPORTANT is at least 100000, so the trigger does not run for smaller payments.
create trigger t90_paiement_important after insert on finances.paiement
  for each row when (new.montant >= 100000) execute function notification._t90_paiement_important();

create function notification._t90_tirage_ecart() returns trigger
language plpgsql volatile as $$
declare
  v_caisse finances.caisse;
begin
  select * into strict v_caisse from finances.caisse c where c.id_caisse = new.id_caisse;
  perform notification._emettre(
    'finances.tirage.ecart', 'HIGH', 'Écart de caisse',
    format('Écart de %s à la caisse « %s », le %s : compté %s, attendu %s.', core.montant_ecrire(new.ecart),
           v_caisse.libelle, to_char(new.date, 'DD/MM/YYYY'), core.montant_ecrire(new.montant_compte),
           core.montant_ecrire(new.montant_attendu)),
    jsonb_build_object('id_tirage', new.id_tirage::text, 'id_caisse', new.id_caisse::text, 'date', new.date,
                       'montant_compte', new.montant_compte, 'montant_attendu', new.montant_attendu,
                       'ecart', new.ecart),
    'FINANCES.VOIR', new.id_caisse, v_caisse.id_activite, null);
  return null;
end $$;
comment on function notification._t90_tirage_ecart is 'Un écart de caisse se signale à ceux qui voient les finances de cette caisse.';

create trigger t90_tirage_ecart after insert on finances.tirage
  for each row when (new.ecart <> 0) execute function notification._t90_tirage_ecart();
