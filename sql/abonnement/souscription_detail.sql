call core.detail('abonnement.souscription_detail', 'abonnement.souscription_detail_vue', 'id_souscription');
comment on function abonnement.souscription_detail is 'Un abonnement vendu et ses mouvements.';
