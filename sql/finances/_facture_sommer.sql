-- The sums of an invoice: its lines less the discount, their tax, the payments applied to it, and its credit notes.

-- This trigger ignores the values that a statement writes: it adds up the lines and the applications. It therefore
-- needs no check of the writer. PostgreSQL locks the row before it calls a BEFORE trigger, and each statement of the
-- trigger sees the rows committed in the meantime. Two concurrent payments therefore add up, even without a lock on the
-- invoice. Inside another trigger the sums are the previous ones, plus what t50_facture_payee and t50_avoir_appliquer
-- add: the lines of an issued invoice never change, and an invoice with a thousand payments costs no more than one with
-- two.
--
-- The settlement writes the tax of the lines at the issue and says what their prices mean.
create function finances._t50_facture_sommer() returns trigger
language plpgsql volatile as $$
begin
  new.montant_taxe := coalesce(old.montant_taxe, 0);
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    new.montant_total := old.montant_total;
  else
    new.montant_total := (select coalesce(sum(l.total), 0) - new.remise
                            from facturation.facture_ligne l where l.id_facture = new.id_facture);
    new.montant_paye := (select coalesce(sum(a.montant), 0) from finances.application_paiement a
                          where a.id_facture = new.id_facture);
    if tg_op = 'UPDATE' then
      new.montant_avoirs := (select coalesce(sum(a.montant_total), 0) from facturation.avoir a
                              where a.id_facture = new.id_facture);
      new.montant_credit := finances._credit_laisse(new.id_facture);
    end if;
  end if;
  if new.montant_total < 0 then
    perform core.refuser(400, 'REMISE_EXCESSIVE', 'La remise dépasse le montant de la facture.',
                         jsonb_build_object('montant', (new.montant_total + new.remise)::text));
  end if;
  if tg_op = 'INSERT' and new.mode_prix is not null then
    new.montant_taxe := (select coalesce(sum(x.montant), 0) from facturation.facture_ligne_taxe x
                          where x.id_facture = new.id_facture);
  end if;
  if new.mode_prix = 'HT' and (tg_op = 'INSERT' or pg_trigger_depth() = 1) then
    new.montant_total := new.montant_total + new.montant_taxe;
  end if;
  if new.annulee and new.montant_paye > coalesce(old.montant_paye, 0) then
    perform core.refuser(409, 'FACTURE_ANNULEE', 'Cette facture est annulée : elle ne se paie plus.');
  end if;
  -- A credit note may leave the invoice with more than it still claims: the excess is the client's, or goes back.
  if new.montant_paye - new.montant_credit > new.montant_total - new.montant_avoirs
     and (tg_op = 'INSERT' or new.montant_paye > old.montant_paye or new.montant_total < old.montant_total) then
    perform core.refuser(409, 'SURPAIEMENT', 'Le paiement dépasse le reste à payer.',
                         jsonb_build_object('reste', coalesce(old.reste, new.montant_total)::text));
  end if;
  return new;
end $$;
comment on function finances._t50_facture_sommer is
  'montant_total = lignes − remise + taxe des prix hors taxe, montant_taxe = taxe des lignes, montant_paye = applications de paiement, montant_avoirs et montant_credit = avoirs. Refuse REMISE_EXCESSIVE, FACTURE_ANNULEE, SURPAIEMENT.';
call core.ne_refuse_que('finances._t50_facture_sommer', 'remise', 'REMISE_EXCESSIVE');

create trigger t50_facture_sommer
  before insert or update of montant_total, montant_taxe, montant_paye, montant_avoirs, montant_credit
  on facturation.facture for each row execute function finances._t50_facture_sommer();

-- The applications of a new invoice are inserted before it. Its own insertion adds them up.
create function finances._t50_facture_payee() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from facturation.facture f where f.id_facture = new.id_facture) then
    update facturation.facture f set montant_paye = f.montant_paye + new.montant where f.id_facture = new.id_facture;
  end if;
  return null;
end $$;
comment on function finances._t50_facture_payee is 'Ajoute à montant_paye ce qu''une nouvelle application règle.';

create trigger t50_facture_payee after insert on finances.application_paiement
  for each row execute function finances._t50_facture_payee();
