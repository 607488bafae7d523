create view finances.moyen_paiement_vue as
select m.id_moyen, m.libelle::text as libelle, m.actif, m.credit
  from finances.moyen_paiement m;
comment on view finances.moyen_paiement_vue is 'Moyens de paiement.';
comment on column finances.moyen_paiement_vue.credit is 'Vrai pour celui qui puise dans le crédit du client.';
call core.jamais_null('finances.moyen_paiement_vue', 'libelle');

create function finances._est_credit(p_id_moyen bigint) returns boolean
language sql stable
return coalesce((select m.credit from finances.moyen_paiement m where m.id_moyen = p_id_moyen), false);
comment on function finances._est_credit is 'Vrai pour le moyen qui puise dans le crédit du client.';
