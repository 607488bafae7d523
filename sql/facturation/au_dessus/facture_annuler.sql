-- Locks, in this order: the subscription, the invoice, the payments by id, the till (shared).

-- A booking that took place is no longer cancelled, and its client owes what was never received.
create function facturation._reservation_realisee(p_facture facturation.facture) returns boolean
language sql stable
return (p_facture).source_type = 'RESERVATION_FETE' and exists (
  select from salle_fete.reservation r where r.id_reservation = (p_facture).source_id and r.statut = 'REALISEE');
comment on function facturation._reservation_realisee is 'Vrai pour la facture d''une réservation réalisée.';

create function facturation.facture_annuler(p_id_facture bigint, p_motif core.texte, p_id_caisse bigint default null)
returns facturation.facture_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  if facturation._reservation_realisee(v) then
    perform core.refuser(409, 'RESERVATION_REALISEE',
      format('La réservation de la facture %s est réalisée : créditez la facture par un avoir.', v.numero),
      jsonb_build_object('operation', format('POST /facturation/factures/%s/avoirs', p_id_facture)));
  end if;
  perform finances._annulation_directe_verifier(v);
  perform abonnement._souscription_annuler(p_id_facture, p_motif);
  perform finances._facture_annuler(p_id_facture, p_motif, p_id_caisse);
  return facturation.facture_detail(p_id_facture);
end $$;
comment on function facturation.facture_annuler is
  'Annule une facture émise par erreur : ce qu''elle a reçu est rendu par des paiements contraires, de la caisse donnée si l''utilisateur n''en a pas. Une échéance redevient due et une commande de pressing sans facture ; une charge sort des listes ; un abonnement prépayé dont rien n''a servi est annulé. Une vente, une commande de restaurant, une réservation ou un séjour s''annulent par leur propre opération.';
