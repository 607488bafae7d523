-- The sums of an invoice: its lines less the discount, and the payments applied to it.

-- This trigger computes the sums at every write, and ignores the written values. It therefore needs no check of the
-- writer. PostgreSQL locks the row before it calls a BEFORE trigger, and each statement of the trigger sees the rows
-- committed in the meantime. Two concurrent payments therefore add up, even without a lock on the invoice.
create function finances._t50_facture_sommer() returns trigger
language plpgsql volatile as $$
declare
  v_lignes numeric := (select coalesce(sum(l.total), 0) from facturation.facture_ligne l
                        where l.id_facture = new.id_facture);
  v_paye numeric := (select coalesce(sum(a.montant), 0) from finances.application_paiement a
                      where a.id_facture = new.id_facture);
  v_deja_paye numeric := coalesce(old.montant_paye, 0);
begin
  if new.remise > v_lignes then
    perform core.refuser(400, 'REMISE_EXCESSIVE', 'La remise dépasse le montant de la facture.',
                         jsonb_build_object('montant', v_lignes::text));
  end if;
  if new.annulee and v_paye > v_deja_paye then
    perform core.refuser(409, 'FACTURE_ANNULEE', 'Cette facture est annulée : elle ne se paie plus.');
  end if;
  new.montant_total := v_lignes - new.remise;
  new.montant_paye := v_paye;
  if v_paye > new.montant_total then
    perform core.refuser(409, 'SURPAIEMENT', 'Le paiement dépasse le reste à payer.',
                         jsonb_build_object('reste', (new.montant_total - v_deja_paye)::text));
  end if;
  return new;
end $$;
comment on function finances._t50_facture_sommer() is
  'montant_total = lignes − remise, montant_paye = applications de paiement. Refuse REMISE_EXCESSIVE, FACTURE_ANNULEE, SURPAIEMENT.';

create trigger t50_facture_sommer before insert or update of montant_total, montant_paye, remise on facturation.facture
  for each row execute function finances._t50_facture_sommer();

create function finances._t50_facture_payee() returns trigger
language plpgsql volatile as $$
begin
  update facturation.facture f set montant_paye = f.montant_paye + a.montant
    from (select n.id_facture, sum(n.montant) as montant from nouvelles n group by n.id_facture) a
   where f.id_facture = a.id_facture;
  return null;
end $$;
comment on function finances._t50_facture_payee() is 'Ajoute à montant_paye ce que de nouvelles applications règlent ; t50_facture_sommer refait la somme.';
-- The update changes only the amount paid.
call core.ne_refuse_pas('finances._t50_facture_payee', 'FACTURE_EMISE', 'REMISE_EXCESSIVE');

create trigger t50_facture_payee after insert on finances.application_paiement
  referencing new table as nouvelles for each statement execute function finances._t50_facture_payee();
