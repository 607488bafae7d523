create function residence.portail_echeance_document(p_id_echeance bigint) returns residence.document_recu
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._document_recu_echeance(residence._portail_echeance(p_id_echeance));
comment on function residence.portail_echeance_document is
  'Reçu, en PDF, d''une échéance entièrement payée du résident connecté.';
