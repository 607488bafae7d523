-- Locks, in this order: the offer (shared), then the locks of the settlement.

create type abonnement.paiement_entree as (montant core.montant_du_reglement, id_moyen bigint);
comment on type abonnement.paiement_entree is 'Ce que le client paie à la vente.';
comment on column abonnement.paiement_entree.montant is 'Le prix au plus.';
comment on column abonnement.paiement_entree.id_moyen is 'Moyen de paiement.';

create type abonnement.souscription_reglement as (
  souscription abonnement.souscription_vue, numero text, id_paiement bigint);
comment on type abonnement.souscription_reglement is 'Abonnement, numéro de sa facture et paiement ; id_paiement est null si rien n''est payé.';
comment on column abonnement.souscription_reglement.numero is 'Numéro de la facture.';
call core.peut_etre_null('abonnement.souscription_reglement', 'id_paiement');

create function abonnement.souscription_creer(
  p_id_client bigint, p_id_offre bigint, p_date_debut date default null, p_prix core.montant default null,
  p_paiement abonnement.paiement_entree default null, p_note core.texte default null)
returns abonnement.souscription_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_offre abonnement.offre;
  v abonnement.souscription;
  v_id_activite bigint;
  v_libelle core.libelle;
  v_montant core.montant := coalesce(p_paiement.montant, 0);
  v_reglement facturation.reglement;
begin
  -- A concurrent change of the offer waits for this sale, or this sale for it.
  select * into v_offre from abonnement.offre o where o.id_offre = p_id_offre for share;
  if not found then
    perform core.refuser(422, 'OFFRE_INCONNUE', 'Cette offre n''existe pas.');
  end if;
  v_id_activite := abonnement._activite_permise(v_offre.activite);
  v.id_souscription := nextval('abonnement.souscription_id_souscription_seq');
  v.prix := coalesce(p_prix, v_offre.prix);
  v.date_debut := coalesce(p_date_debut, core.aujourdhui());
  v.date_fin := v.date_debut + v_offre.duree_jours - 1;
  v_libelle := left(v_offre.libelle, 150)
               || format(', du %s au %s', to_char(v.date_debut, 'DD/MM/YYYY'), to_char(v.date_fin, 'DD/MM/YYYY'));
  if not v_offre.actif then
    perform core.refuser(409, 'OFFRE_INACTIVE',
      format('L''offre « %s » est désactivée : elle ne se vend plus.', v_offre.libelle));
  end if;
  v_reglement := finances._facture_regler(
    p_source_type => 'ABONNEMENT', p_source_id => v.id_souscription,
    p_id_activite => v_id_activite, p_id_client => client._client_resoudre(p_id_client, null), p_libelle => v_libelle,
    p_lignes => array[facturation._ligne(v_libelle, 1, v.prix)],
    p_montant => v_montant, p_id_moyen => p_paiement.id_moyen);
  insert into abonnement.souscription (id_souscription, id_client, id_offre, quota, prix, date_debut, date_fin,
                                       id_facture, paiement_partiel_autorise_par, note)
  overriding system value
  values (v.id_souscription, p_id_client, p_id_offre, v_offre.quota, v.prix, v.date_debut, v.date_fin,
          v_reglement.id_facture, case when v_montant < v.prix then core.utilisateur() end, p_note);
  return abonnement._souscription_reglement(v.id_souscription, v_reglement.id_paiement);
end $$;
comment on function abonnement.souscription_creer is
  'Vend un abonnement à un client : quota, prix et dates sont fixés ici, et la facture est émise, payée, payée en partie ou impayée. Il sert dès son premier jour, même impayé ; sans date, il commence ce jour.';

create function abonnement._souscription_reglement(p_id_souscription bigint, p_id_paiement bigint)
returns abonnement.souscription_reglement
language sql stable
return core._trouve((select row(s, s.facture_numero, p_id_paiement)::abonnement.souscription_reglement
                       from abonnement.souscription_vue s where s.id_souscription = p_id_souscription));
comment on function abonnement._souscription_reglement is 'Réponse d''une vente ou d''un paiement. Refuse NOT_FOUND.';
