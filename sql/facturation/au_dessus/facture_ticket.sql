create type facturation.document_ticket as (
  fichier text, largeur integer, facture facturation.document_facture);
comment on type facturation.document_ticket is 'Une facture à imprimer en ticket de caisse.';
comment on column facturation.document_ticket.largeur is 'Du papier, en millimètres.';

create function facturation.facture_ticket(p_id_facture bigint, p_largeur core.largeur_ticket default '80')
returns facturation.document_ticket
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select row('ticket-' || (d.v).numero, p_largeur::text::integer, d.v)::facturation.document_ticket
          from (select facturation.facture_document(p_id_facture) as v offset 0) d);
comment on function facturation.facture_ticket is
  'Ticket de caisse d''une facture en PDF, à la largeur du papier ; sa hauteur suit son contenu.';
