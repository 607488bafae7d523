insert into finances.paiement (id_paiement, date, jour, montant, type, id_moyen, id_activite, id_caisse, id_periode,
                               id_utilisateur, motif, id_paiement_origine, id_facture)
overriding system value
select v.id_paiement, v.date, v.jour, v.montant, v.type, case when v.en_caisse then v.id_moyen else 4 end, v.id_activite,
       c.id_caisse, c.id_periode, 1, v.motif, v.id_origine, v.id_facture
  from (select id_paiement, date, jour, montant, 'ENCAISSEMENT'::finances.type_paiement as type, id_moyen, id_activite,
               en_caisse, libelle as motif, null::bigint as id_origine, id_facture
          from brouillon.paiement
        union all
        select id_paiement, date, jour, montant, 'DECAISSEMENT', id_moyen, id_activite, en_caisse, 'Annulation', id_origine,
               id_facture
          from brouillon.remboursement) v
  left join brouillon.periode c on c.id_activite = v.id_activite and c.jour = v.jour and v.en_caisse;
