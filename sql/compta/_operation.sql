-- Entries of the accountant, and the balances with which the books open. Both are documents that never change.
-- Lock: the counter of the numbers, until the commit.

create type compta.ligne_saisie as (
  compte compta.numero_compte, libelle core.libelle, debit core.montant, credit core.montant);
comment on type compta.ligne_saisie is 'Une ligne d''une opération ou d''une balance.';
comment on column compta.ligne_saisie.compte is 'Compte : il commence par un compte du plan.';
comment on column compta.ligne_saisie.libelle is 'Libellé : celui de l''opération si rien n''est dit.';
comment on column compta.ligne_saisie.debit is 'Débit : null pour un crédit.';
comment on column compta.ligne_saisie.credit is 'Crédit : null pour un débit.';
call core.peut_etre_null('compta.ligne_saisie', 'libelle', 'debit', 'credit');

create view compta.operation_vue as
select o.id_operation, o.numero, o.ouverture, o.jour as date, o.libelle,
       (select sum(l.debit) from compta.operation_ligne l where l.id_operation = o.id_operation)::core.somme as montant,
       o.motif, o.date_saisie, o.id_utilisateur, o.id_operation_origine, a.id_operation as id_operation_contraire,
       o.id_activite
  from compta.operation o
  left join compta.operation a on a.id_operation_origine = o.id_operation
 where core._visible(null, (select core.caisse())) and core._visible(o.id_activite, (select core.activite()));
comment on view compta.operation_vue is
  'Opérations du comptable et à-nouveaux. Un utilisateur lié à une activité voit les siennes, un utilisateur lié à une caisse n''en voit pas.';
comment on column compta.operation_vue.montant is 'Somme des débits, et des crédits.';
comment on column compta.operation_vue.id_operation_contraire is 'Opération qui annule celle-ci.';
call core.jamais_null('compta.operation_vue', 'montant');
call core.peut_etre_null('compta.operation_vue', 'id_operation_contraire');

create type compta.ligne_d_operation as (
  compte text, intitule text, libelle text, debit core.montant, credit core.montant);
comment on type compta.ligne_d_operation is 'Une ligne d''une opération.';
comment on column compta.ligne_d_operation.intitule is 'Nom du compte.';
call core.peut_etre_null('compta.ligne_d_operation', 'intitule', 'libelle', 'debit', 'credit');

create view compta.operation_detail_vue as
select o.*, array(
         select row(l.compte, compta._libelle_compte(l.compte), l.libelle, l.debit, l.credit)::compta.ligne_d_operation
           from compta.operation_ligne l where l.id_operation = o.id_operation order by l.rang) as lignes
  from compta.operation_vue o;
comment on view compta.operation_detail_vue is 'Une opération et ses lignes.';

create trigger t10_operation_auteur before insert on compta.operation for each row execute function core._t10_auteur();

create trigger t20_date_future before insert on compta.operation
  for each row when (new.jour > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date de l''opération est dans le futur.');

create trigger t20_periode_close before insert on compta.operation
  for each row when (new.jour < date_trunc('month', core.jour(clock_timestamp())::timestamp))
  execute function compta._t20_periode_close();

create trigger t50_operation_numeroter before insert on compta.operation
  for each row execute function core._t50_numeroter('OPE');

-- One statement writes all lines of an operation.
create function compta._t20_operation_lignes() returns trigger
language plpgsql volatile as $$
declare
  -- A contrary entry takes the accounts of its own time.
  v_inconnus text[] := array(
    select distinct l.compte::text from lignes l join compta.operation o on o.id_operation = l.id_operation
     where compta._libelle_compte(l.compte) is null and o.id_operation_origine is null order by 1);
  v_debit numeric;
  v_credit numeric;
begin
  if cardinality(v_inconnus) > 0 then
    perform core.refuser(400, 'COMPTE_INCONNU',
      format('Ces comptes ne sont pas du plan comptable : %s.', array_to_string(v_inconnus, ', ')),
      jsonb_build_object('comptes', v_inconnus));
  end if;
  select coalesce(sum(l.debit), 0), coalesce(sum(l.credit), 0) into v_debit, v_credit from lignes l;
  if v_debit <> v_credit then
    perform core.refuser(400, 'OPERATION_DESEQUILIBREE',
      format('Les débits font %s et les crédits %s : ils doivent être égaux.', core.montant_ecrire(v_debit),
             core.montant_ecrire(v_credit)),
      jsonb_build_object('debit', v_debit::text, 'credit', v_credit::text));
  elsif v_debit = 0 then
    perform core.refuser(400, 'OPERATION_VIDE', 'Une opération compte deux lignes au moins.');
  end if;
  return null;
end $$;
comment on function compta._t20_operation_lignes is
  'Refuse une opération sans lignes, déséquilibrée, ou dont un compte n''est pas du plan.';

create trigger t20_operation_lignes after insert on compta.operation_ligne
  referencing new table as lignes for each statement execute function compta._t20_operation_lignes();

call core.figer('OPERATION_FIGEE',
  'Une opération ne change ni ne s''efface : elle s''annule par une opération contraire.',
  'before update or delete or truncate on compta.operation',
  'before update or delete or truncate on compta.operation_ligne');

create function compta._operation_ecrire(p_operation compta.operation, p_lignes compta.ligne_saisie[]) returns bigint
language plpgsql volatile as $$
declare
  v_id_operation bigint;
begin
  insert into compta.operation as o (ouverture, jour, libelle, motif, id_operation_origine, id_activite)
  values ((p_operation).ouverture, (p_operation).jour, (p_operation).libelle, (p_operation).motif,
          (p_operation).id_operation_origine, (p_operation).id_activite)
  returning o.id_operation into v_id_operation;
  insert into compta.operation_ligne (id_operation, rang, compte, libelle, debit, credit)
  select v_id_operation, l.rang, l.compte, l.libelle, l.debit, l.credit
    from unnest(p_lignes) with ordinality as l (compte, libelle, debit, credit, rang)
   order by l.rang;
  return v_id_operation;
end $$;
comment on function compta._operation_ecrire is 'Écrit une opération et ses lignes, et rend son identifiant.';
