create type echange.contrats as (
  client core.libelle, telephone core.telephone, id_client bigint, logement core.libelle, batiment core.libelle,
  id_logement bigint, date_debut date, montant_loyer core.montant_du_reglement, type_location residence.type_location,
  date_fin_prevue date, duree_mois residence.duree_mois, periodicite core.libelle, date_signature date,
  paye_jusqu_au date);
comment on type echange.contrats is 'Une ligne d''une feuille de baux en cours.';
comment on column echange.contrats.client is 'Client : son code, ou son nom et ses prénoms.';
comment on column echange.contrats.telephone is 'Téléphone : du client, si deux portent le même nom.';
comment on column echange.contrats.id_client is 'Identifiant du client : si rien d''autre ne le nomme.';
comment on column echange.contrats.logement is 'Logement : son numéro.';
comment on column echange.contrats.batiment is 'Bâtiment : du logement, si deux portent le même nom.';
comment on column echange.contrats.id_logement is 'Identifiant du logement : si rien d''autre ne le nomme.';
comment on column echange.contrats.date_debut is 'Début : premier jour du bail.';
comment on column echange.contrats.montant_loyer is 'Loyer : du mois, ou de l''année pour un bail ANNUEL.';
comment on column echange.contrats.type_location is 'Type de location : MENSUEL si rien n''est dit.';
comment on column echange.contrats.date_fin_prevue is 'Fin prévue : dernier jour du bail, vide sans terme.';
comment on column echange.contrats.duree_mois is 'Durée en mois : donne la fin prévue qui manque.';
comment on column echange.contrats.periodicite is 'Périodicité : comme l''écrit le bail.';
comment on column echange.contrats.date_signature is 'Signature : jour où il a été signé.';
comment on column echange.contrats.paye_jusqu_au is 'Payé jusqu''au : dernier jour dont le loyer est payé ; le lendemain est dû. Vide : rien n''a été payé.';
call core.peut_etre_null('echange.contrats', 'client', 'telephone', 'id_client', 'logement', 'batiment', 'id_logement',
  'type_location', 'date_fin_prevue', 'duree_mois', 'periodicite', 'date_signature', 'paye_jusqu_au');

-- A lease that has begun is in force at once. Its tenant gets an account, and no letter: the import is not a signature.
create function echange._contrats(p echange.contrats) returns echange.issue
language plpgsql volatile as $$
declare
  v echange.issue;
  v_id_client bigint := echange._client((p).id_client, (p).client, (p).telephone);
  v_id_logement bigint := echange._logement((p).id_logement, (p).logement, (p).batiment);
begin
  v.repere := concat_ws('|', v_id_client, v_id_logement, (p).date_debut);
  select c.id_contrat into v.id_entite from residence.contrat_location c
   where c.id_logement = v_id_logement and c.id_client = v_id_client and c.date_debut = (p).date_debut
     and c.statut <> 'RESILIE'
   limit 1;
  v.deja := found;
  if v.deja then
    return v;
  end if;
  perform abonnement._acces_exiger();
  v.id_entite := (residence._contrat_creer(
    p_id_client => v_id_client, p_id_logement => v_id_logement, p_date_debut => (p).date_debut,
    p_montant_loyer => (p).montant_loyer, p_type_location => coalesce((p).type_location, 'MENSUEL'),
    p_date_fin_prevue => (p).date_fin_prevue, p_duree_mois => (p).duree_mois, p_periodicite => (p).periodicite,
    p_date_signature => (p).date_signature, p_lien_en_file => null, p_paye_jusqu_au => (p).paye_jusqu_au)).id_contrat;
  if (p).date_debut <= core.aujourdhui() then
    perform residence.contrat_activer(v.id_entite);
  end if;
  return v;
end $$;
comment on function echange._contrats is
  'Reprend un bail en cours ; le même client, le même logement et le même début existent déjà. Ce qui est payé ailleurs n''est ni dû ni facturé ici.';
