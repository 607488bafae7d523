-- An operation as a device sends it. Only its number and its identity are checked before it is kept: what else is wrong
-- with it makes an exception of it, and stops nothing.
create type finances.operation_recue as (
  sequence bigint, id uuid, instant text, methode text, chemin text, corps jsonb, refs jsonb, ticket jsonb);
comment on type finances.operation_recue is 'Opération qu''un appareil a faite.';
comment on column finances.operation_recue.sequence is 'Rang parmi celles de l''appareil : 1, 2, 3…';
comment on column finances.operation_recue.id is 'Identité, tirée au hasard par l''appareil.';
comment on column finances.operation_recue.instant is 'Moment de l''opération, avec son fuseau.';
comment on column finances.operation_recue.methode is 'Méthode HTTP.';
comment on column finances.operation_recue.chemin is 'Chemin dès /api/v1 ; {<id>/vente/id_vente} y est la valeur de la réponse de cette opération.';
comment on column finances.operation_recue.corps is 'Corps JSON ; {"$ref": "<id>/id_client"} y est la valeur de la réponse de cette opération.';
comment on column finances.operation_recue.refs is 'Identités d''autres opérations dont celle-ci dépend.';
comment on column finances.operation_recue.ticket is 'numero : imprimé, C1-000123 ; version : du fonds que voyait l''appareil ; montant : argent entré dans la caisse.';
call core.peut_etre_null('finances.operation_recue', 'instant', 'methode', 'chemin', 'corps', 'refs', 'ticket');
