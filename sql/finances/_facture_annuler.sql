-- Cancelling a paid invoice: counter-payments give the money back, then the invoice is void. No row is rewritten.
-- Locks, in this order: the invoice, the payments by id, the till (shared).

create function finances._facture_payeurs(p_id_facture bigint) returns table (id_paiement bigint, montant numeric)
language sql stable
begin atomic
  select coalesce(p.id_paiement_origine, p.id_paiement), sum(a.montant)
    from finances.application_paiement a
    join finances.paiement p on p.id_paiement = a.id_paiement
   where a.id_facture = p_id_facture
   group by 1
  having sum(a.montant) > 0;
end;
comment on function finances._facture_payeurs(bigint) is
  'Encaissements qui règlent encore une facture, et de combien, paiements contraires déduits.';

create function finances._facture_annuler(p_id_facture bigint, p_motif core.texte) returns facturation.facture_solde
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite())
     for update;
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE', format('La facture %s est déjà annulée.', v.numero));
  end if;
  perform from finances.paiement p
    where p.id_paiement in (select x.id_paiement from finances._facture_payeurs(p_id_facture) x)
    order by p.id_paiement for no key update;
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  select finances._paiement_rendre(x.id_paiement, x.montant, p_motif, v.numero), p_id_facture, -x.montant
    from (select * from finances._facture_payeurs(p_id_facture) order by id_paiement) x;
  update facturation.facture f set (annulee, motif_annulation) = row(true, p_motif) where f.id_facture = p_id_facture;
  return facturation._facture_solde(p_id_facture);
end $$;
comment on function finances._facture_annuler(bigint, core.texte) is
  'Annule une facture : ce que chaque paiement y réglait encore est rendu par un paiement contraire, de la caisse de l''utilisateur, sinon de celle d''origine si elle est ouverte, sinon sans caisse. Refuse NOT_FOUND, FACTURE_ANNULEE, PERIODE_CAISSE_FERMEE, CAISSE_INACTIVE.';
-- Each payment gives back the part that it still pays here, by its own method. A deposit pays no invoice.
call core.ne_refuse_pas('finances._facture_annuler', 'MOYEN_PAIEMENT_INACTIF', 'PAIEMENT_DEJA_RENDU',
  'PAIEMENT_DEPASSE', 'PAIEMENT_DE_CAUTION');
-- The amount paid decreases, and the invoice is cancelled once.
call core.ne_refuse_pas('finances._facture_annuler', 'SURPAIEMENT', 'FACTURE_EMISE');

create function finances._annulation_directe_verifier(p_facture facturation.facture) returns void
language plpgsql stable as $$
declare
  v_operation text := case (p_facture).source_type
    when 'VENTE' then format('POST /market/ventes/%s/annuler', (p_facture).source_id)
    when 'COMMANDE_RESTAURANT' then format('POST /restaurant/commandes/%s/annuler', (p_facture).source_id)
    when 'RESERVATION_FETE' then format('POST /salle-fete/reservations/%s/annuler', (p_facture).source_id)
    when 'SEJOUR' then format('PATCH /residence/sejours/%s, statut ANNULE', (p_facture).source_id) end;
begin
  if v_operation is not null then
    perform core.refuser(409, 'ANNULATION_PAR_SA_SOURCE',
      format('La facture %s est celle d''%s : annulez-%s, l''argent sera rendu (%s).', (p_facture).numero,
             case (p_facture).source_type when 'VENTE' then 'une vente' when 'COMMANDE_RESTAURANT' then 'une commande'
                                          when 'RESERVATION_FETE' then 'une réservation' else 'un séjour' end,
             case (p_facture).source_type when 'SEJOUR' then 'le' else 'la' end, v_operation),
      jsonb_build_object('operation', v_operation));
  end if;
end $$;
comment on function finances._annulation_directe_verifier(facturation.facture) is
  'Ce qui a sa propre annulation s''annule par elle. Refuse ANNULATION_PAR_SA_SOURCE.';
