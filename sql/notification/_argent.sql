-- Notifications of large payments, and of till counts that differ from the expected amount. finances does not know
-- notifications: the trigger of a payment calls the first function (finances/reglement/_paiement.sql).

create function notification._paiement_important(p_paiement finances.paiement) returns void
language plpgsql volatile as $$
begin
  if p_paiement.montant >= core.parametre('SEUIL_PAIEMENT_IMPORTANT')::numeric then
    perform notification._emettre(
      'paiement.important', 'HIGH',
      case p_paiement.type when 'ENCAISSEMENT' then 'Encaissement important' else 'Décaissement important' end,
      format('%s, le %s%s.', core.montant_ecrire(p_paiement.montant), to_char(p_paiement.jour, 'DD/MM/YYYY'),
             ' : ' || p_paiement.motif),
      jsonb_build_object('id_paiement', p_paiement.id_paiement::text, 'montant', p_paiement.montant::text,
                         'type', p_paiement.type, 'id_caisse', p_paiement.id_caisse::text),
      'FINANCES.VOIR', p_paiement.id_caisse, p_paiement.id_activite, null, true);
  end if;
end $$;
comment on function notification._paiement_important is 'Signale un paiement qui atteint SEUIL_PAIEMENT_IMPORTANT.';

create function notification._t90_tirage_ecart() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'finances.tirage.ecart', 'HIGH', 'Écart de caisse',
    format('Écart de %s à la caisse « %s », le %s : compté %s, attendu %s.', core.montant_ecrire(new.ecart),
           c.libelle, to_char(new.date, 'DD/MM/YYYY'), core.montant_ecrire(new.montant_compte),
           core.montant_ecrire(new.montant_attendu)),
    jsonb_build_object('id_tirage', new.id_tirage::text, 'id_caisse', new.id_caisse::text, 'date', new.date,
                       'montant_compte', new.montant_compte, 'montant_attendu', new.montant_attendu,
                       'ecart', new.ecart),
    'FINANCES.VOIR', new.id_caisse, c.id_activite, null)
     from finances.caisse c where c.id_caisse = new.id_caisse;
  return null;
end $$;
comment on function notification._t90_tirage_ecart is 'Un écart de caisse se signale à ceux qui voient les finances de cette caisse.';

create trigger t90_tirage_ecart after insert on finances.tirage
  for each row when (new.ecart <> 0) execute function notification._t90_tirage_ecart();

create function notification._t90_exception() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'caisse.exception', 'HIGH', 'Opération de caisse en exception',
    format('Caisse « %s », %s : %s', c.libelle,
           coalesce('ticket ' || left(new.operation #>> '{ticket,numero}', 60), 'sans ticket'),
           left(new.message, 1000)),
    jsonb_build_object('id_exception', new.id_exception::text, 'id_caisse', new.id_caisse::text, 'code', new.code,
                       'montant', new.montant::text),
    'FINANCES.VOIR', new.id_caisse, c.id_activite, null)
     from finances.caisse c where c.id_caisse = new.id_caisse;
  return null;
end $$;
comment on function notification._t90_exception is 'Une opération d''appareil qu''une règle a refusée se signale à ceux qui voient les finances de sa caisse.';

create trigger t90_exception after insert on finances.exception_caisse
  for each row execute function notification._t90_exception();
