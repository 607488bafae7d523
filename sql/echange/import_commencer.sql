-- In the transaction that has stored the rows: an import whose rows are not all there is never tried.
create function echange.import_commencer(p_id_import bigint) returns echange.etat_import
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import := echange._import_verrouiller(p_id_import);
begin
  if v.etat = 'RECEPTION' then
    perform echange._compter(p_id_import);
    update echange.import i
       set (etat, total) = row('EN_ESSAI'::echange.etat_import,
                               (select count(*) from echange.ligne l
                                 where l.id_import = p_id_import and l.issue = 'A_ESSAYER'))
     where i.id_import = p_id_import
    returning * into v;
  end if;
  return v.etat;
end $$;
comment on function echange.import_commencer is 'Ouvre l''essai d''un import dont toutes les lignes sont arrivées.';
