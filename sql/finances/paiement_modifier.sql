create type finances.paiement_champs as (
  date timestamptz, id_moyen bigint, motif core.texte, reference core.libelle);
comment on type finances.paiement_champs is 'Ce qui se corrige dans un paiement ; jamais son montant.';

create function finances.paiement_modifier(p_id_paiement bigint, p_champs jsonb)
returns finances.paiement_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.paiement;
begin
  perform finances.paiement_detail(p_id_paiement);
  select * into strict v from finances.paiement p where p.id_paiement = p_id_paiement for update;
  v := jsonb_populate_record(v, p_champs);
  update finances.paiement p
     set (date, id_moyen, motif, reference) = row(v.date, v.id_moyen, v.motif, v.reference)
   where p.id_paiement = p_id_paiement;
  return finances.paiement_detail(p_id_paiement);
end $$;
comment on function finances.paiement_modifier is
  'Corrige la date, le moyen, le motif ou la référence d''un paiement. La date ne change plus une fois la période de caisse fermée.';
-- A payment does not become one from the credit of a client. The other rules are of a new payment.
call core.ne_refuse_pas('finances.paiement_modifier', 'CREDIT_SANS_CLIENT', 'CAISSE_INACTIVE', 'PAIEMENT_DE_CAUTION',
  'PAIEMENT_DEJA_RENDU');
