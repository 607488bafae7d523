create function compta.operation_creer(
  p_date date, p_libelle core.libelle, p_lignes compta.ligne_saisie[], p_id_activite bigint default null)
returns compta.operation_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v compta.operation;
  v_id_operation bigint;
begin
  v.ouverture := false;
  v.jour := p_date;
  v.libelle := p_libelle;
  v.id_activite := facturation._activite_permise(p_id_activite);
  v_id_operation := compta._operation_ecrire(v, p_lignes);
  return compta.operation_detail(v_id_operation);
end $$;
comment on function compta.operation_creer is
  'Passe une opération du comptable : des lignes au débit ou au crédit, dont les sommes sont égales. Elle a un numéro sans trou et ne change plus ; elle est de la maison entière, ou d''une activité.';
call core.peut_refuser('compta.operation_creer',
  'OPERATION_ACTIVITE_INCONNUE', 'OPERATION_LIGNE_UN_SENS', 'OPERATION_RANG');
