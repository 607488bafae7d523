create function facturation.avoir_ticket(p_id_avoir bigint, p_largeur core.largeur_ticket default '80')
returns facturation.document_ticket_avoir
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select row('ticket-' || (d.v).numero, p_largeur::text::integer, d.v)::facturation.document_ticket_avoir
          from (select facturation.avoir_document(p_id_avoir) as v offset 0) d);
comment on function facturation.avoir_ticket is
  'Ticket de caisse d''un avoir en PDF, à la largeur du papier ; sa hauteur suit son contenu.';
