call core.detail('abonnement.offre_detail', 'abonnement.offre_vue', 'id_offre');
comment on function abonnement.offre_detail is 'Une offre d''abonnement.';
