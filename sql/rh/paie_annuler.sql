create function rh.paie_annuler(p_id_paie bigint) returns rh.paie_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return rh._paie_passer(p_id_paie, 'ANNULEE');
comment on function rh.paie_annuler is 'Annule un bulletin qui n''est pas payé, ni d''un mois clôturé une fois validé.';
-- The payslip has a month already.
call core.peut_refuser('rh.paie_annuler', 'PERIODE_CLOTUREE');
