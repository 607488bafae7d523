-- The settlement: the only place that makes an invoice and applies money to it.
-- Locks, in this order: the source or the invoice, the till (shared), the counter of the numbers.

create type facturation.ligne_entree as (libelle core.libelle, quantite core.nombre, prix_unitaire core.montant);
comment on type facturation.ligne_entree is 'Ligne à facturer.';
comment on column facturation.ligne_entree.libelle is 'Obligatoire. Texte de la ligne.';
comment on column facturation.ligne_entree.quantite is '1 si elle n''est pas donnée.';
comment on column facturation.ligne_entree.prix_unitaire is 'Obligatoire. Prix d''une unité.';

create type facturation.reglement as (
  id_facture bigint, numero text, id_paiement bigint, montant_total core.montant, montant_paye core.montant,
  reste core.montant, statut facturation.statut_facture);
comment on type facturation.reglement is 'Facture après un règlement ; id_paiement est null si rien n''a été payé.';

create function facturation._reglement(p_id_facture bigint, p_id_paiement bigint) returns facturation.reglement
language sql stable
return (select row(f.id_facture, f.numero, p_id_paiement, f.montant_total, f.montant_paye, f.reste, f.statut)
               ::facturation.reglement
          from facturation.facture f where f.id_facture = p_id_facture);
comment on function facturation._reglement(bigint, bigint) is 'Réponse d''un règlement.';

create function facturation._facture_regler(
  p_source_type facturation.source_type, p_source_id bigint, p_id_activite bigint, p_id_client bigint,
  p_libelle core.libelle, p_lignes facturation.ligne_entree[], p_remise core.montant default 0,
  p_montant core.montant default 0, p_id_moyen bigint default null, p_id_caisse bigint default null,
  p_date timestamptz default null, p_motif core.texte default null, p_reference core.libelle default null)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v_id_facture bigint;
begin
  if p_source_type not in ('PRESTATION', 'AUTRE') then
    perform facturation._source_verrouiller(p_source_type, p_source_id);
    select f.id_facture into v_id_facture from facturation.facture f
     where f.source_type = p_source_type and f.source_id = p_source_id and not f.annulee;
  end if;
  if v_id_facture is null then
    return facturation._facture_emettre(p_source_type, p_source_id, p_id_activite, p_id_client, p_libelle, p_lignes,
                                        p_remise, p_montant, p_id_moyen, p_id_caisse, p_date, p_motif, p_reference);
  elsif p_montant > 0 then
    return facturation._facture_payer(v_id_facture, p_montant, p_id_moyen, p_id_caisse, p_date, p_motif, p_reference);
  else
    return facturation._reglement(v_id_facture, null);
  end if;
end $$;
comment on function facturation._facture_regler(
  facturation.source_type, bigint, bigint, bigint, core.libelle, facturation.ligne_entree[], core.montant, core.montant,
  bigint, bigint, timestamptz, core.texte, core.libelle) is
  'Règlement commun : émet la facture de la source si elle n''en a pas (client, libellé, lignes et remise ne servent qu''alors), puis lui applique le montant payé, 0 pour aucun paiement.';

create function facturation._facture_emettre(
  p_source_type facturation.source_type, p_source_id bigint, p_id_activite bigint, p_id_client bigint,
  p_libelle core.libelle, p_lignes facturation.ligne_entree[], p_remise core.montant, p_montant core.montant,
  p_id_moyen bigint, p_id_caisse bigint, p_date timestamptz, p_motif core.texte, p_reference core.libelle)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v_id_activite bigint := facturation._activite_permise(p_id_activite);
  v_id_facture bigint := nextval('facturation.facture_id_facture_seq');
  v_annee integer := extract(year from core.aujourdhui());
  v_id_paiement bigint;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'FACTURE_SANS_LIGNE', 'Une facture compte au moins une ligne.');
  end if;
  insert into facturation.facture_ligne (id_facture, libelle, quantite, prix_unitaire)
  select v_id_facture, l.libelle, coalesce(l.quantite, 1), l.prix_unitaire
    from unnest(p_lignes) with ordinality as l (libelle, quantite, prix_unitaire, rang)
   order by l.rang;
  if p_montant > 0 then
    v_id_paiement := facturation._paiement_appliquer(
      v_id_facture, v_id_activite, p_montant, p_id_moyen, p_id_caisse, p_date, coalesce(p_motif, p_libelle), p_reference);
  end if;
  -- The invoice itself comes last: its number locks the counter until the commit.
  insert into facturation.facture (id_facture, numero, id_client, id_activite, libelle, remise, source_type, source_id)
  overriding system value
  values (v_id_facture, core._numeroter('FAC', v_annee), p_id_client, v_id_activite, p_libelle, coalesce(p_remise, 0),
          p_source_type, p_source_id);
  return facturation._reglement(v_id_facture, v_id_paiement);
end $$;
comment on function facturation._facture_emettre(
  facturation.source_type, bigint, bigint, bigint, core.libelle, facturation.ligne_entree[], core.montant, core.montant,
  bigint, bigint, timestamptz, core.texte, core.libelle) is
  'Émet une facture et lui applique le montant payé, s''il y en a un. Refuse FACTURE_SANS_LIGNE, REMISE_EXCESSIVE, SURPAIEMENT.';

create function facturation._facture_payer(
  p_id_facture bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_caisse bigint default null,
  p_date timestamptz default null, p_motif core.texte default null, p_reference core.libelle default null)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v facturation.facture;
  v_id_paiement bigint;
begin
  select * into strict v from facturation.facture f
   where f.id_facture = p_id_facture and (core.activite() is null or f.id_activite = core.activite())
     for update;
  v_id_paiement := facturation._paiement_appliquer(
    p_id_facture, v.id_activite, p_montant, p_id_moyen, p_id_caisse, p_date, coalesce(p_motif, v.libelle), p_reference);
  return facturation._reglement(p_id_facture, v_id_paiement);
end $$;
comment on function facturation._facture_payer(bigint, core.montant_du_reglement, bigint, bigint, timestamptz, core.texte, core.libelle) is
  'Paie une facture existante, en tout ou en partie. Refuse NOT_FOUND, FACTURE_ANNULEE, SURPAIEMENT.';

create function facturation._paiement_appliquer(
  p_id_facture bigint, p_id_activite bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_caisse bigint,
  p_date timestamptz, p_motif core.texte, p_reference core.libelle)
returns bigint
language plpgsql volatile as $$
declare
  v_id_paiement bigint;
begin
  insert into finances.paiement (date, montant, id_moyen, id_activite, id_caisse, motif, reference)
  values (coalesce(p_date, now()), p_montant, p_id_moyen, p_id_activite, p_id_caisse, p_motif, p_reference)
  returning id_paiement into v_id_paiement;
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  values (v_id_paiement, p_id_facture, p_montant);
  return v_id_paiement;
end $$;
comment on function facturation._paiement_appliquer(
  bigint, bigint, core.montant_du_reglement, bigint, bigint, timestamptz, core.texte, core.libelle) is
  'Écrit un encaissement et l''applique à une facture ; les déclencheurs décident de la caisse, vérifient sa période et recalculent la facture.';
