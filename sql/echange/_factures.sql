create type echange.factures as (
  client core.libelle, telephone core.telephone, id_client bigint, libelle core.libelle, date date,
  montant core.montant_du_reglement, activite core.libelle, id_activite bigint);
comment on type echange.factures is 'Une ligne d''une feuille de factures d''ouverture : ce qui reste à payer.';
comment on column echange.factures.client is 'Client : son code, ou son nom et ses prénoms.';
comment on column echange.factures.telephone is 'Téléphone : du client, si deux portent le même nom.';
comment on column echange.factures.id_client is 'Identifiant du client : si rien d''autre ne le nomme.';
comment on column echange.factures.libelle is 'Libellé : avec le numéro d''origine, il la distingue des autres du client.';
comment on column echange.factures.date is 'Date : de la facture d''origine, aujourd''hui si rien n''est dit.';
comment on column echange.factures.montant is 'Reste à payer : ce que le client doit encore.';
comment on column echange.factures.activite is 'Activité : code ou libellé.';
comment on column echange.factures.id_activite is 'Identifiant de l''activité : si son code n''est pas donné.';
call core.peut_etre_null('echange.factures', 'client', 'telephone', 'id_client', 'date', 'activite', 'id_activite');

-- The invoice gets a number of today, because numbers have no gap, and the date of the original, which its age counts
-- from. The original has declared the tax.
create function echange._factures(p echange.factures) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_client bigint := echange._client((p).id_client, (p).client, (p).telephone);
  v_id_activite bigint := echange._activite((p).id_activite, (p).activite);
  v_id_facture bigint := (
    select f.id_facture from facturation.facture f
     where f.id_client = v_id_client and f.source_type = 'AUTRE' and not f.annulee
       and lower(f.libelle) = lower((p).libelle) limit 1);
begin
  if (p).date > core.aujourdhui() then
    perform core.refuser(400, 'DATE_FUTURE', 'La date de la facture est dans le futur.',
                         jsonb_build_object('champ', 'date'));
  end if;
  return row(
    coalesce(v_id_facture, (finances._sources_regler(
      array[row('AUTRE', null, (p).libelle, array[facturation._ligne((p).libelle, 1, (p).montant)], 0, 0)
              ::facturation.source_a_regler],
      p_id_activite => v_id_activite, p_id_client => v_id_client, p_montant => 0, p_id_moyen => null,
      p_emise_le => case when (p).date < core.aujourdhui() then core.debut_du_jour((p).date) end,
      p_taxable => false)).factures[1]),
    v_id_facture is not null, concat_ws('|', v_id_client, lower((p).libelle)))::echange.issue;
end $$;
comment on function echange._factures is 'Émet une facture d''ouverture ; le même libellé du client existe déjà.';
