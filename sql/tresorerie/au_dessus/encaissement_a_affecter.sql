create view tresorerie.encaissement_a_affecter_vue as
select e.id_encaissement, e.id_compte, e.transaction::text as transaction, e.reference, e.montant, e.frais,
       e.devise::text as devise, e.date, e.motif, e.id_paiement,
       case when e.id_paiement is null then e.montant else finances._paiement_disponible(e.id_paiement) end::core.somme
         as reste, p.id_client
  from tresorerie.encaissement e
  join tresorerie.compte c on c.id_compte = e.id_compte
  left join finances.paiement p on p.id_paiement = e.id_paiement
 where e.motif is not null and core._visible(coalesce(p.id_activite, c.id_activite), (select core.activite()))
   and (e.id_paiement is null or finances._paiement_disponible(e.id_paiement) > 0);
comment on view tresorerie.encaissement_a_affecter_vue is
  'Argent reçu qui ne règle rien, tant que son paiement n''est ni appliqué ni remboursé.';
comment on column tresorerie.encaissement_a_affecter_vue.motif is 'Pourquoi il ne règle rien.';
comment on column tresorerie.encaissement_a_affecter_vue.reste is 'Ce qui en reste à affecter.';
comment on column tresorerie.encaissement_a_affecter_vue.id_client is 'Client à qui est cet argent, null s''il n''est pas connu.';
call core.jamais_null('tresorerie.encaissement_a_affecter_vue', 'transaction', 'devise', 'reste');
call core.peut_etre_null('tresorerie.encaissement_a_affecter_vue', 'reference', 'id_paiement', 'id_client');

call core.liste('tresorerie.encaissement_a_affecter', 'tresorerie.encaissement_a_affecter_vue',
  'v.date desc, v.id_encaissement desc', 'recherche: core._contient(v.transaction, $) or core._contient(v.reference, $)',
  'du: date', 'au: date', 'id_compte', 'id_client');
comment on function tresorerie.encaissement_a_affecter is
  'Argent que les fournisseurs ont reçu et qui ne règle rien : POST /finances/paiements/{id}/appliquer ou /rembourser en décide.';
