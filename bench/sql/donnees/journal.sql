-- The journal of the lines, payments and invoices of one month, as its triggers would have written it:
-- the first payment is a part of the settlement that issues the invoice, and each later one changes the invoice.

-- The present state of an invoice needs no change, which halves the cost.
create function brouillon.facture_payee(p_facture facturation.facture, p_paye numeric, p_annulee boolean default false)
returns jsonb
language sql stable
return case when p_paye = p_facture.montant_paye and p_annulee = p_facture.annulee then to_jsonb(p_facture)
            else to_jsonb(p_facture) || jsonb_build_object(
              'montant_paye', p_paye, 'annulee', p_annulee,
              'reste', case when p_annulee then 0 else p_facture.montant_total - p_paye end,
              'statut', case when p_annulee then 'ANNULEE' when p_paye >= p_facture.montant_total then 'PAYEE'
                             when p_paye > 0 then 'PARTIELLE' else 'IMPAYEE' end) end;

create procedure brouillon.journaliser(p_mois date)
language plpgsql as $$
declare
  v record;
  v_id bigint;
  v_nombre bigint;
begin
  for v in select * from brouillon.borne b where date_trunc('month', b.jour) = p_mois order by b.jour loop
    v_id := brouillon.traces() + v.avant;

    insert into audit.journal (id_trace, date_heure, id_utilisateur, module, operation, entite, entite_id, montant, apres,
                               adresse_ip, requete)
    overriding system value
    select v_id + l.id_ligne - v.ligne_de + 1, f.date, 1, 'facturation', 'INSERT', 'facture_ligne', l.id_ligne, null,
           to_jsonb(l), brouillon.adresse(f.id_facture), 'facture-' || f.id_facture
      from facturation.facture_ligne l join brouillon.facture f using (id_facture)
     where l.id_ligne between v.ligne_de and v.ligne_a and f.id_facture between v.facture_de and v.facture_a;
    get diagnostics v_nombre = row_count;
    v_id := v_id + v_nombre;

    insert into audit.journal (id_trace, date_heure, id_utilisateur, module, operation, entite, entite_id, montant, apres,
                               adresse_ip, requete)
    overriding system value
    select v_id + row_number() over (order by p.id_paiement), p.date, 1, 'finances', 'INSERT', 'paiement', p.id_paiement,
           p.montant, to_jsonb(p), brouillon.adresse(p.id_paiement), 'paiement-' || p.id_paiement
      from finances.paiement p
     where p.id_paiement between v.paiement_de and v.paiement_a
        or p.id_paiement between v.remboursement_de and v.remboursement_a;
    get diagnostics v_nombre = row_count;
    v_id := v_id + v_nombre;

    insert into audit.journal (id_trace, date_heure, id_utilisateur, module, operation, entite, entite_id, montant, apres,
                               adresse_ip, requete)
    overriding system value
    select v_id + f.id_facture - v.facture_de + 1, f.date, 1, 'facturation', 'INSERT', 'facture', f.id_facture,
           f.montant_total,
           brouillon.facture_payee(f, case when b.versements = 1 then b.du else floor(b.du / b.versements) end),
           brouillon.adresse(f.id_facture), 'facture-' || f.id_facture
      from facturation.facture f join brouillon.facture b using (id_facture)
     where f.id_facture between v.facture_de and v.facture_a and b.id_facture between v.facture_de and v.facture_a;
    get diagnostics v_nombre = row_count;
    v_id := v_id + v_nombre;

    insert into audit.journal (id_trace, date_heure, id_utilisateur, module, operation, entite, entite_id, montant, avant,
                               apres, adresse_ip, requete)
    overriding system value
    select v_id + row_number() over (order by m.id_paiement, m.rang), m.date, 1, 'facturation', 'UPDATE', 'facture',
           m.id_facture, f.montant_total, brouillon.facture_payee(f, m.avant), brouillon.facture_payee(f, m.apres, m.annulee),
           brouillon.adresse(m.id_paiement), 'paiement-' || m.id_paiement
      from (select p.id_paiement, 1 as rang, p.date, p.id_facture, floor(p.du / p.versements) * (p.rang - 1) as avant,
                   floor(p.du / p.versements) * (p.rang - 1) + p.montant as apres, false as annulee
              from brouillon.paiement p
             where p.id_paiement between v.paiement_de and v.paiement_a and p.rang > 1
            union all
            select r.id_paiement, 1, r.date, r.id_facture, r.reste_paye + r.montant, r.reste_paye, false
              from brouillon.remboursement r
             where r.id_paiement between v.remboursement_de and v.remboursement_a
            union all
            select r.id_paiement, 2, r.date, r.id_facture, 0, 0, true
              from brouillon.remboursement r
             where r.id_paiement between v.remboursement_de and v.remboursement_a and r.reste_paye = 0) m
      join facturation.facture f using (id_facture);
  end loop;
end $$;
