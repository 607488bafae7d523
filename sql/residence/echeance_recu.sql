create type residence.recu_type as enum ('LOYER');
comment on type residence.recu_type is 'Ce qu''un reçu d''échéance acquitte.';
create type residence.recu_echeance_ligne as (
  mois smallint, annee smallint, montant core.montant, date_echeance date, statut residence.statut_echeance,
  numero_contrat text);
comment on type residence.recu_echeance_ligne is 'Échéance acquittée.';
create type residence.recu_client as (nom text, prenoms text);
comment on type residence.recu_client is 'Client d''un reçu.';
create type residence.recu_echeance as (
  type residence.recu_type, reference text, date timestamptz, montant core.montant, mode_paiement text,
  echeance residence.recu_echeance_ligne, client residence.recu_client, logement text);
comment on type residence.recu_echeance is 'Reçu d''une échéance payée.';
comment on column residence.recu_echeance.date is 'Dernier paiement ; mode_paiement est le sien.';
call core.peut_etre_null('residence.recu_echeance', 'reference', 'date', 'mode_paiement');

create function residence._recu_echeance(p_id_echeance bigint) returns residence.recu_echeance
language plpgsql stable as $$
declare
  v residence.recu_echeance;
begin
  select 'LOYER'::residence.recu_type, residence._reference_loyer(c.numero_contrat, e.mois, e.annee), p.date,
         e.montant_paye, m.libelle::text,
         row(e.mois, e.annee, e.montant, e.date_echeance,
             residence._statut_echeance(e.montant, e.montant_paye, e.date_echeance, core.aujourdhui(), c.statut),
             c.numero_contrat)::residence.recu_echeance_ligne,
         row(k.nom, k.prenoms)::residence.recu_client, l.numero::text
    into strict v
    from residence.echeance e
    join residence.contrat_location c on c.id_contrat = e.id_contrat
    join client.client k on k.id_client = c.id_client
    join residence.logement l on l.id_logement = c.id_logement
    left join finances.paiement p on p.id_paiement = e.id_paiement
    left join finances.moyen_paiement m on m.id_moyen = p.id_moyen
   where e.id_echeance = p_id_echeance;
  if (v.echeance).statut <> 'PAYE' then
    perform core.refuser(404, 'ECHEANCE_NON_PAYEE',
      'Cette échéance n''est pas entièrement payée : elle n''a pas de reçu.');
  end if;
  return v;
end $$;
comment on function residence._recu_echeance is 'Reçu d''une échéance, vérifiée visible par l''appelant. Refuse ECHEANCE_NON_PAYEE.';

create function residence.echeance_recu(p_id_echeance bigint) returns residence.recu_echeance
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._recu_echeance((residence._echeance(p_id_echeance)).id_echeance);
comment on function residence.echeance_recu is 'Reçu d''une échéance entièrement payée.';
