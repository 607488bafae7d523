-- Locks, in this order: SCEAU, because two erasures that have written would wait for each other's entries; the client,
-- exclusively, so that new rows about him wait for the end. The entries that this operation writes hold his data too,
-- so it seals after its writes, and erases them with the others.

create type client.anonymisation as (
  id_client bigint, lignes integer, entrees integer, evenements integer, fichiers text[], mois_archives text[]);
comment on type client.anonymisation is 'Ce qu''un effacement a fait.';
comment on column client.anonymisation.lignes is 'Lignes changées, supprimées comprises.';
comment on column client.anonymisation.entrees is 'Entrées du journal d''où les données ont été retirées.';
comment on column client.anonymisation.evenements is 'Événements d''où les données ont été retirées.';
comment on column client.anonymisation.fichiers is 'Fichiers que le travailleur retire du stockage.';
comment on column client.anonymisation.mois_archives is 'Mois du journal archivés qui peuvent encore le nommer : ils sont effacés quand ils sont remis.';

create function client.client_anonymiser(p_id_client bigint, p_motif core.libelle) returns client.anonymisation
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v client.anonymisation;
  v_lie audit.rattachements;
  v_restes audit.journal[];
  v_evenements int8multirange;
begin
  perform client._client(p_id_client);
  perform pg_advisory_xact_lock(core._verrou('SCEAU'), 0);
  perform from client.client c where c.id_client = p_id_client for update;
  perform client._effacement_verifier(p_id_client);
  perform client._exceptions_nommer(p_id_client);
  v_lie := audit._rattachements(p_id_client);
  v_evenements := evenement._evenements_de(v_lie);
  v.id_client := p_id_client;
  v.mois_archives := audit._mois_archives((
    select c.date_enregistrement from client.client c where c.id_client = p_id_client));
  v.lignes := client._copies_effacer(v_lie) + client._textes_effacer(v_lie) + client._compte_effacer(v_lie.id_compte)
              + client._fiche_effacer(p_id_client);
  if not (audit._sceller()).complet then
    perform core.refuser(409, 'SCELLEMENT_INCOMPLET',
                         'D''autres opérations sont en cours : recommencez dans un instant.');
  end if;
  v_restes := array(select r from audit._restes(p_id_client, '-infinity', 'infinity') r);
  v.fichiers := audit._fichiers_retirer(v_restes, p_id_client);
  v.entrees := cardinality(v_restes);
  perform audit._restes_effacer(p_id_client, p_motif, v_evenements, v_restes);
  v.evenements := evenement._evenements_effacer(v_evenements);
  return v;
end $$;
comment on function client.client_anonymiser is
  'Efface les données personnelles d''un client que plus rien n''oblige à garder : fiche, contacts, pièces, textes libres, compte, et ce qu''en disent le journal, les événements et les notifications. Montants, numéros et dates restent, et les sceaux et les preuves valent toujours. Sans retour. Les sauvegardes gardent ces données jusqu''à leur expiration (SAUVEGARDE_RETENTION).';
-- The erasure removes the address and gives none.
call core.ne_refuse_pas('client.client_anonymiser', 'PREUVE_REQUISE');
