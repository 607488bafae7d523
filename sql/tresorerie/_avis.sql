-- Notices of providers. A stranger may send one: it wakes the worker, which asks the provider. A notice is stored once.

create view tresorerie.avis_vue as
select a.id_avis, a.id_compte, a.evenement::text as evenement, a.date, a.signature, a.reference, a.identifiant, a.etat,
       a.issue, e.id_demande, e.id_paiement, a.id_encaissement, octet_length(a.corps) as octets
  from tresorerie.avis a
  join tresorerie.compte c on c.id_compte = a.id_compte
  left join tresorerie.encaissement e on e.id_encaissement = a.id_encaissement
 where core._visible(c.id_activite, (select core.activite()));
comment on view tresorerie.avis_vue is 'Avis des fournisseurs, et ce que chacun est devenu.';
comment on column tresorerie.avis_vue.id_demande is 'Demande que l''argent de cet avis paie.';
comment on column tresorerie.avis_vue.id_paiement is 'Paiement qui porte cet argent aux livres.';
comment on column tresorerie.avis_vue.octets is 'Taille de ce qui a été reçu, null une fois que c''est retiré.';
call core.jamais_null('tresorerie.avis_vue', 'evenement');
call core.peut_etre_null('tresorerie.avis_vue', 'id_demande', 'id_paiement', 'octets');

create function tresorerie._avis_ecarte(
  p_compte tresorerie.compte, p_signature tresorerie.signature_avis, p_nomme boolean)
returns text
language sql immutable parallel safe
return case when p_signature = 'FAUSSE' then 'La signature est fausse.'
            when not (p_compte).actif then 'Le compte est désactivé.'
            when not p_nomme then 'Cet avis ne nomme ni demande ni transaction.' end;
comment on function tresorerie._avis_ecarte is 'Pourquoi un avis ne réveille personne, null s''il réveille.';
