-- The instalments of a lease that is terminated, or cancelled before it began. The caller locks the lease and its room.

create function residence._echeances_arreter(p_id_contrat bigint, p_dernier_jour date) returns void
language plpgsql volatile as $$
declare
  v_echeances bigint[] := array(
    select e.id_echeance from residence.echeance e
     where e.id_contrat = p_id_contrat and e.date_fin > p_dernier_jour);
begin
  perform residence._echeances_verrouiller(v_echeances);
  update residence.echeance e
     set (montant_du, date_fin) = row(
           case when e.date_echeance > p_dernier_jour then 0 else residence._loyer_ecourte(c, e, p_dernier_jour) end,
           case when e.date_echeance > p_dernier_jour then e.date_fin else p_dernier_jour end)
    from residence.contrat_location c
   where c.id_contrat = e.id_contrat and e.id_echeance = any (v_echeances);
  perform residence._loyers_factures_crediter(v_echeances);
end $$;
comment on function residence._echeances_arreter is
  'Arrête les échéances d''un contrat à un dernier jour dû : celle qui court est due au prorata, les suivantes ne le sont plus ; un avoir en crédite les factures.';

-- A rent revised after the first payment of an instalment left its amount: a proportion of that amount is owed.
create function residence._loyer_ecourte(
  p_contrat residence.contrat_location, p_echeance residence.echeance, p_dernier_jour date) returns numeric
language plpgsql stable as $$
declare
  v_loyer core.montant := residence._loyer((p_contrat).id_contrat, (p_contrat).loyer_initial,
                                           (p_echeance).date_echeance);
  v_loyer_entier core.montant := residence._loyer_periode((p_contrat).type_location, v_loyer, (p_contrat).date_debut,
                                                          (p_echeance).date_echeance, (p_echeance).date_fin);
  v_loyer_reduit core.montant := residence._loyer_periode((p_contrat).type_location, v_loyer, (p_contrat).date_debut,
                                                          (p_echeance).date_echeance, p_dernier_jour);
begin
  return case when (p_echeance).montant = v_loyer_entier then v_loyer_reduit
              when v_loyer_entier = 0 then 0
              else core.arrondir((p_echeance).montant * v_loyer_reduit / v_loyer_entier) end;
end $$;
comment on function residence._loyer_ecourte is
  'Ce qui est dû d''une échéance quittée avant sa fin, le dernier jour compris.';
