call core.retrait('abonnement.offre_supprimer', 'abonnement.offre_detail', 'delete from abonnement.offre');
comment on function abonnement.offre_supprimer is 'Supprime une offre qui n''a jamais été vendue.';
