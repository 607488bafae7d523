-- The repair of a base of the release candidate 1.0.0-rc1: each thing that it gave or took back without a document gets
-- one. The document is of the day of the repair, so that closed months keep their entries. A second call finds nothing.
-- Locks, in this order: all rows to repair, then the locks of each settlement and each credit note.

create function jobs._documents_reprendre() returns table (objet text, id bigint)
language plpgsql volatile as $$
declare
  v_commandes bigint[];
  v_ventes bigint[];
  v_contrats bigint[];
  v_echeances bigint[];
begin
  v_commandes := array(
    select c.id_commande from restaurant.commande c
     where c.statut = 'SERVIE' and c.montant_couvert is null
       and not facturation._source_facturee('COMMANDE_RESTAURANT', c.id_commande)
     order by c.id_commande for no key update);
  v_ventes := array(
    select v.id_vente from market.vente v
     where v.statut = 'EN_COURS'
       and not facturation._source_facturee('VENTE', v.id_vente)
     order by v.id_vente for no key update);
  v_contrats := array(
    select c.id_contrat from residence.contrat_location c
     where exists (select from residence.echeance e
                     join facturation.facture f
                       on f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee
                    where e.id_contrat = c.id_contrat and e.montant_paye > e.montant_du)
     order by c.id_contrat for no key update);
  foreach id in array v_commandes loop
    objet := 'restaurant.commande';
    perform restaurant._commande_facturer(id);
    return next;
  end loop;
  foreach id in array v_ventes loop
    objet := 'market.vente';
    perform market._vente_regler(id, 0, null, p_comptant => false);
    return next;
  end loop;
  foreach id in array v_contrats loop
    objet := 'residence.contrat_location';
    v_echeances := array(
      select e.id_echeance from residence.echeance e where e.id_contrat = id and e.montant_du is not null);
    perform residence._echeances_verrouiller(v_echeances);
    perform residence._loyers_factures_crediter(v_echeances);
    return next;
  end loop;
end $$;
comment on function jobs._documents_reprendre is
  'Après la mise à jour d''une base de 1.0.0-rc1 : facture, impayée, chaque commande servie et chaque vente acceptée sans facture ; crédite par un avoir ce qui fut payé au-delà de ce que doit un bail clos. Les documents sont du jour ; rend ce qui en a reçu un.';
