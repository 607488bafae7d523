create type compta.operation_annulee as (
  operation compta.operation_detail_vue, contraire compta.operation_detail_vue);
comment on type compta.operation_annulee is 'Opération annulée, et l''opération contraire qui l''annule.';

create function compta.operation_annuler(p_id_operation bigint, p_motif core.texte default null)
returns compta.operation_annulee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v compta.operation_detail_vue := compta.operation_detail(p_id_operation);
  v_contraire compta.operation;
  v_id_contraire bigint;
begin
  if v.id_operation_origine is not null then
    perform core.refuser(409, 'OPERATION_NON_ANNULABLE',
      'Cette opération en annule une autre : elle ne s''annule pas.');
  end if;
  v_contraire.ouverture := v.ouverture;
  v_contraire.jour := case when compta._jour_clos(v.date) then core.aujourdhui() else v.date end;
  v_contraire.libelle := left('Annulation de ' || v.numero || ', ' || v.libelle, 200);
  v_contraire.motif := p_motif;
  v_contraire.id_operation_origine := p_id_operation;
  v_contraire.id_activite := v.id_activite;
  v_id_contraire := compta._operation_ecrire(v_contraire, array(
    select row(l.compte, l.libelle, l.credit, l.debit)::compta.ligne_saisie
      from compta.operation_ligne l where l.id_operation = p_id_operation order by l.rang));
  return row(compta.operation_detail(p_id_operation),
             compta.operation_detail(v_id_contraire))::compta.operation_annulee;
end $$;
comment on function compta.operation_annuler is
  'Annule une opération ou des à-nouveaux, une seule fois, par une opération contraire : du même jour, ou d''aujourd''hui si son mois est clôturé.';
call core.peut_refuser('compta.operation_annuler', 'OPERATION_DEJA_ANNULEE');
-- The contrary entry has the lines of the first one, and is not of tomorrow.
call core.ne_refuse_pas('compta.operation_annuler', 'DATE_FUTURE', 'COMPTE_INCONNU', 'OPERATION_DESEQUILIBREE',
  'OPERATION_VIDE');
