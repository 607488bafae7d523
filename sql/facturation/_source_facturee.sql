-- Volatile: in the WHEN of a trigger it sees an invoice that was committed while the statement waited for its row.
create function facturation._source_facturee(p_source_type facturation.source_type, p_source_id bigint) returns boolean
language plpgsql volatile as $$
begin
  return exists (select from facturation.facture f
                  where f.source_type = p_source_type and f.source_id = p_source_id and not f.annulee);
end $$;
comment on function facturation._source_facturee is 'Vrai si une source a une facture qui n''est pas annulée.';
