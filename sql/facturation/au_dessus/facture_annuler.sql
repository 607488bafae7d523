-- Locks, in this order: the subscription, the invoice, the payments by id, the till (shared).

create function facturation.facture_annuler(p_id_facture bigint, p_motif core.texte, p_id_caisse bigint default null)
returns facturation.facture_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  perform finances._annulation_directe_verifier(v);
  perform abonnement._souscription_annuler(p_id_facture, p_motif);
  perform finances._facture_annuler(p_id_facture, p_motif, p_id_caisse);
  return facturation.facture_detail(p_id_facture);
end $$;
comment on function facturation.facture_annuler is
  'Annule une facture émise par erreur : ce qu''elle a reçu est rendu par des paiements contraires, de la caisse donnée si l''utilisateur n''en a pas. Une échéance redevient due et une commande de pressing sans facture ; une charge sort des listes ; un abonnement prépayé dont rien n''a servi est annulé. Une vente, une commande de restaurant, une réservation ou un séjour s''annulent par leur propre opération.';
