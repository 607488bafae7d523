create function residence.echeance_document(p_id_echeance bigint) returns residence.document_recu
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._document_recu_echeance((residence._echeance(p_id_echeance)).id_echeance);
comment on function residence.echeance_document is 'Reçu d''une échéance entièrement payée, en PDF.';
