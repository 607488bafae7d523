-- The invoice, instalment or charge that a demand pays, and its payment, which is the settlement of its trade.

create type tresorerie.cible as (
  id_facture bigint, source_type facturation.source_type, source_id bigint, id_activite bigint, id_client bigint,
  libelle text, reste numeric);
comment on type tresorerie.cible is 'Ce qu''une demande paie : une facture, ou ce qui n''en a pas encore.';

create function tresorerie._facture_cible(p_id_facture bigint) returns tresorerie.cible
language plpgsql stable as $$
declare
  v facturation.facture;
begin
  select f.* into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE', 'Cette facture est annulée : elle ne se paie plus.');
  end if;
  return row(v.id_facture, null, null, v.id_activite, v.id_client, 'Facture ' || v.numero, v.reste)::tresorerie.cible;
end $$;
comment on function tresorerie._facture_cible is 'Une facture que l''utilisateur voit et qui n''est pas annulée.';

create function tresorerie._facture_de(p_source_type facturation.source_type, p_source_id bigint) returns bigint
language sql stable
return (select f.id_facture from facturation.facture f
         where f.source_type = p_source_type and f.source_id = p_source_id
           and f.source_type not in ('PRESTATION', 'AUTRE') and not f.annulee);
comment on function tresorerie._facture_de is 'Facture de ce qui se paie, null s''il n''en a pas encore.';

create function tresorerie._cible(p_id_facture bigint, p_source_type facturation.source_type, p_source_id bigint)
returns tresorerie.cible
language plpgsql stable as $$
declare
  v_echeance residence.echeance_vue;
  v_charge residence.charge_facturee_vue;
  v_id_facture bigint := coalesce(p_id_facture, tresorerie._facture_de(p_source_type, p_source_id));
begin
  if p_source_type = 'LOCATION' then
    v_echeance := residence._echeance(p_source_id);
  elsif p_source_type = 'CHARGE' then
    v_charge := residence.charge_detail(p_source_id);
  end if;
  if v_id_facture is not null then
    return tresorerie._facture_cible(v_id_facture);
  elsif p_source_type = 'LOCATION' then
    return (select row(null, p_source_type, p_source_id, residence._activite(), c.id_client,
                       residence._reference_loyer(c.numero_contrat, v_echeance.mois, v_echeance.annee),
                       v_echeance.montant - v_echeance.montant_paye)::tresorerie.cible
              from residence.contrat_location c where c.id_contrat = v_echeance.id_contrat);
  end if;
  return row(null, p_source_type, p_source_id, residence._activite(), v_charge.id_client,
             left(format('%s %s', v_charge.categorie_libelle, v_charge.periode), 200),
             v_charge.reste_a_payer)::tresorerie.cible;
end $$;
comment on function tresorerie._cible is 'Ce qu''une demande paie, et ce qui en reste à payer. Refuse NOT_FOUND, FACTURE_ANNULEE.';

create function tresorerie._payer(
  p_cible tresorerie.cible, p_montant numeric, p_id_moyen bigint, p_date timestamptz, p_reference text)
returns bigint
language plpgsql volatile as $$
begin
  if (p_cible).id_facture is not null then
    return finances._facture_payer((p_cible).id_facture, p_montant, p_id_moyen, p_date => p_date,
                                   p_reference => p_reference);
  elsif (p_cible).source_type = 'LOCATION' then
    return (residence._echeance_regler((p_cible).source_id, p_montant, p_id_moyen, p_date)).id_paiement;
  end if;
  return (residence._charge_regler((p_cible).source_id, p_montant, p_id_moyen)).id_paiement;
end $$;
comment on function tresorerie._payer is 'Paie ce qu''une demande demandait, par le règlement, et rend le paiement.';
