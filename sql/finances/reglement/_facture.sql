-- The triggers of an invoice that every settlement fires: one before the write, one after it. PostgreSQL reads a WHEN,
-- a CHECK and a generated column from their text in every statement, so the rules stand in the bodies
-- (docs/decisions/0044-vitesse-du-reglement.md). The journal and the events have triggers of their own.

create function finances._sommes_refuser(p_facture facturation.facture) returns void
language plpgsql stable as $$
begin
  if p_facture.montant_avoirs not between 0 and p_facture.montant_total then
    perform core.refuser(400, 'FACTURE_AVOIRS_BORNES', 'Les avoirs dépassent la facture.');
  elsif p_facture.montant_credit not between 0 and p_facture.montant_paye then
    perform core.refuser(400, 'FACTURE_CREDIT_BORNE',
                         'Le crédit que laissent les avoirs d''une facture vient de ce qu''elle a reçu.');
  elsif p_facture.montant_taxe not between 0 and p_facture.montant_total then
    perform core.refuser(400, 'FACTURE_TAXE_BORNEE', 'La taxe d''une facture est une part de son total.');
  else
    perform core.refuser(400, 'FACTURE_MONTANT_POSITIF', 'Une facture n''a pas de montant négatif.');
  end if;
end $$;
comment on function finances._sommes_refuser is 'Refuse une facture dont les sommes se contredisent.';
-- A guard: the operations bound what they write.
call core.ne_refuse_pas('finances._sommes_refuser', 'FACTURE_AVOIRS_BORNES', 'FACTURE_CREDIT_BORNE',
  'FACTURE_TAXE_BORNEE', 'FACTURE_MONTANT_POSITIF');

-- The sums of an invoice: its lines less the discount, their tax, the payments applied to it, and its credit notes.
--
-- This trigger ignores the values that a statement writes: it adds up the lines and the applications. It therefore
-- needs no check of the writer. PostgreSQL locks the row before it calls a BEFORE trigger, and each statement of the
-- trigger sees the rows committed in the meantime. Two concurrent payments therefore add up, even without a lock on the
-- invoice. Inside another trigger the sums are the previous ones, plus what t50_application_regler and
-- t50_avoir_appliquer add: the lines of an issued invoice never change, and an invoice with a thousand payments costs
-- no more than one with two.
--
-- The settlement writes the tax of the lines at the issue and says what their prices mean. The number is already taken:
-- the transaction locks the counter, so no other invoice gets a number before the commit.
create function finances._t50_facture_sommer() returns trigger
language plpgsql volatile as $$
declare
  v_du numeric;
  v_recu numeric;
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    new.montant_taxe := old.montant_taxe;
    new.montant_total := old.montant_total;
  else
    if tg_op = 'INSERT' then
      new.date := coalesce(new.date, clock_timestamp());
      new.jour := core.jour(new.date);
      new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
      if new.jour < core.jour(clock_timestamp()) then
        perform compta._ouverte_exiger(new.jour);
      end if;
    end if;
    select (select coalesce(sum(l.total), 0) - new.remise
              from facturation.facture_ligne l where l.id_facture = new.id_facture),
           (select coalesce(sum(a.montant), 0)
              from finances.imputation_vue a where a.id_facture = new.id_facture)
      into new.montant_total, new.montant_paye;
    if tg_op = 'UPDATE' then
      new.montant_taxe := old.montant_taxe;
      new.montant_avoirs := (select coalesce(sum(a.montant_total), 0)
                               from facturation.avoir a where a.id_facture = new.id_facture);
      new.montant_credit := finances._credit_laisse(new.id_facture);
    else
      new.montant_taxe := 0;
      new.montant_avoirs := 0;
      new.montant_credit := 0;
      if new.mode_prix is not null then
        new.montant_taxe := (select coalesce(sum(x.montant), 0)
                               from facturation.facture_ligne_taxe x where x.id_facture = new.id_facture);
      end if;
    end if;
    if new.montant_total < 0 then
      perform core.refuser(400, 'REMISE_EXCESSIVE', 'La remise dépasse le montant de la facture.',
                           jsonb_build_object('montant', (new.montant_total + new.remise)::text));
    end if;
    if new.mode_prix = 'HT' then
      new.montant_total := new.montant_total + new.montant_taxe;
    end if;
  end if;
  v_du := new.montant_total - new.montant_avoirs;
  v_recu := new.montant_paye - new.montant_credit;
  -- Few invoices enter this block. PL/pgSQL prepares each condition that it meets again in every transaction.
  if new.annulee or least(v_recu, v_du - v_recu, new.montant_avoirs, new.montant_credit, new.montant_taxe,
                          new.montant_total - greatest(new.montant_taxe, new.montant_paye)) < 0 then
    if new.annulee and new.montant_paye > coalesce(old.montant_paye, 0) then
      perform core.refuser(409, 'FACTURE_ANNULEE', 'Cette facture est annulée : elle ne se paie plus.');
    end if;
    -- A credit note may leave the invoice with more than it still claims: the excess is the client's, or goes back.
    if v_recu > v_du
       and (tg_op = 'INSERT' or new.montant_paye > old.montant_paye or new.montant_total < old.montant_total)
       or new.montant_paye > new.montant_total then
      perform core.refuser(409, 'SURPAIEMENT', 'Le paiement dépasse le reste à payer.',
                           jsonb_build_object('reste', coalesce(old.reste, new.montant_total)::text));
    end if;
    if v_du < 0 or new.montant_avoirs < 0 or v_recu < 0 or new.montant_credit < 0
       or new.montant_taxe < 0 or new.montant_taxe > new.montant_total then
      perform finances._sommes_refuser(new);
    end if;
  end if;
  new.reste := facturation._reste(new.annulee, v_du, v_recu);
  new.statut := facturation._statut(new.annulee, v_du, v_recu);
  -- MONTANT_MAXIMAL is at least one million. The total of an issued invoice does not grow.
  if tg_op = 'INSERT' then
    if greatest(new.montant_total, new.remise) > 1000000 then
      perform core._montant_verifier('remise', new.remise);
      perform core._montant_verifier('montant_total', new.montant_total);
    end if;
  end if;
  return new;
end $$;
comment on function finances._t50_facture_sommer is
  'Date, jour et auteur d''une nouvelle facture ; montant_total = lignes − remise + taxe des prix hors taxe, montant_taxe = taxe des lignes, montant_paye = applications de paiement, montant_avoirs et montant_credit = avoirs, reste et statut en découlent. Refuse PERIODE_CLOTUREE, REMISE_EXCESSIVE, FACTURE_ANNULEE, SURPAIEMENT, MONTANT_TROP_GRAND.';
call core.ne_refuse_que('finances._t50_facture_sommer', 'remise', 'REMISE_EXCESSIVE');
-- Without a date, a document is dated now.
call core.ne_refuse_que('finances._t50_facture_sommer', 'date', 'PERIODE_CLOTUREE');

create trigger t50_facture_sommer
  before insert or update of montant_total, montant_taxe, montant_paye, montant_avoirs, montant_credit, annulee, reste,
  statut on facturation.facture for each row execute function finances._t50_facture_sommer();

create function finances._t50_facture_suivre() returns trigger
language plpgsql volatile as $$
begin
  if tg_op = 'INSERT' and new.id_client is not null then
    perform audit._client_vivant_exiger(new.id_client);
  end if;
  if new.source_type = 'LOCATION' then
    perform residence._echeance_suivre(new, coalesce(old.montant_paye, 0));
  elsif new.source_type = 'SEJOUR' then
    perform residence._sejour_suivre(new);
  end if;
  return null;
end $$;
comment on function finances._t50_facture_suivre is
  'Reporte ce qu''une facture a reçu sur ce qu''elle facture : l''échéance d''un loyer, un séjour. Refuse SURPAIEMENT, CLIENT_EFFACE.';

create trigger t50_facture_suivre after insert or update of montant_paye, montant_avoirs on facturation.facture
  for each row execute function finances._t50_facture_suivre();
