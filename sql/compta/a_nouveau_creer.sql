-- Lock: CLOTURE with the key 1, so that two opening balances see each other.

create function compta.a_nouveau_creer(
  p_date date, p_lignes compta.ligne_saisie[], p_libelle core.libelle default 'À-nouveaux')
returns compta.operation_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v compta.operation;
  v_id_operation bigint;
  v_numero text;
begin
  perform pg_advisory_xact_lock(core._verrou('CLOTURE'), 1);
  v_numero := (select o.numero from compta.operation o
                where o.ouverture and o.id_operation_origine is null
                  and not exists (select from compta.operation a where a.id_operation_origine = o.id_operation));
  if v_numero is not null then
    perform core.refuser(409, 'A_NOUVEAUX_DEJA_PASSES',
      format('Les livres ont déjà leurs à-nouveaux (%s) : annulez-les d''abord.', v_numero),
      jsonb_build_object('numero', v_numero));
  end if;
  v.ouverture := true;
  v.jour := p_date;
  v.libelle := coalesce(p_libelle, 'À-nouveaux');
  v_id_operation := compta._operation_ecrire(v, array(
    select row(s.compte, s.libelle, case when s.solde > 0 then s.solde end, case when s.solde < 0 then -s.solde end)
             ::compta.ligne_saisie
      from (select l.compte, l.libelle, coalesce(l.debit, 0) - coalesce(l.credit, 0) as solde, l.rang
              from unnest(p_lignes) with ordinality as l (compte, libelle, debit, credit, rang)) s
     where s.solde <> 0
     order by s.rang));
  return compta.operation_detail(v_id_operation);
end $$;
comment on function compta.a_nouveau_creer is
  'Passe les à-nouveaux d''une balance, une fois pour l''ouverture des livres : le solde de chaque ligne, son débit moins son crédit. Ils sont équilibrés, et s''annulent comme une opération.';
call core.peut_refuser('compta.a_nouveau_creer', 'OPERATION_RANG');
