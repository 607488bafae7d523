-- The settlement: the only place that creates an invoice and applies money to it, for one source or for several sources
-- paid together. Locks, in this order: the sources by type and id, their invoices by id, the till (shared), the counter
-- of the numbers.

create type facturation.ligne_entree as (libelle core.libelle, quantite core.nombre, prix_unitaire core.montant);
comment on type facturation.ligne_entree is 'Ligne à facturer.';
comment on column facturation.ligne_entree.libelle is 'Texte de la ligne.';
comment on column facturation.ligne_entree.quantite is '1 si elle n''est pas donnée.';
comment on column facturation.ligne_entree.prix_unitaire is 'Prix d''une unité.';
call core.peut_etre_null('facturation.ligne_entree', 'quantite');

create type facturation.reglement as (
  id_facture bigint, numero text, id_paiement bigint, montant_total core.somme, montant_paye core.somme,
  reste core.somme, statut facturation.statut_facture);
comment on type facturation.reglement is 'Facture après un règlement ; id_paiement est null si rien n''a été payé.';
call core.peut_etre_null('facturation.reglement', 'id_paiement');

create function finances._reglement(p_id_facture bigint, p_id_paiement bigint) returns facturation.reglement
language sql stable
return (select row(f.id_facture, f.numero, p_id_paiement, f.montant_total, f.montant_paye, f.reste, f.statut)
               ::facturation.reglement
          from facturation.facture f where f.id_facture = p_id_facture);
comment on function finances._reglement is 'Réponse d''un règlement.';

create function finances._solde(p_reglement facturation.reglement) returns facturation.facture_solde
language sql immutable parallel safe
return case when (p_reglement).id_facture is not null
            then row((p_reglement).id_facture, (p_reglement).montant_total, (p_reglement).montant_paye,
                     (p_reglement).reste, (p_reglement).statut)::facturation.facture_solde end;
comment on function finances._solde is 'Solde de la facture d''un règlement, null sans règlement.';

-- The rest was computed after the payment, in the same transaction: no other payment can come in between.
create function finances._solde_exiger(p_reglement facturation.reglement, p_verse numeric) returns void
language plpgsql stable as $$
declare
  v_du constant numeric := (p_reglement).reste + p_verse;
begin
  if (p_reglement).reste > 0 then
    perform core.refuser(409, 'SOLDE_INCOMPLET',
      format('Il faut encaisser tout ce qui reste à payer : %s.', core.montant_ecrire(v_du)),
      jsonb_build_object('reste', v_du::text));
  end if;
end $$;
comment on function finances._solde_exiger is 'Refuse SOLDE_INCOMPLET quand p_verse ne solde pas la facture.';

create type facturation.source_a_regler as (
  source_type facturation.source_type, source_id bigint, libelle core.libelle, lignes facturation.ligne_a_facturer[],
  remise core.montant, montant core.montant);
comment on type facturation.source_a_regler is 'Ce qui se règle : libellé, lignes et remise servent à émettre sa facture si elle n''en a pas.';
comment on column facturation.source_a_regler.montant is 'Part du paiement qui lui revient, 0 pour aucune.';

create type facturation.sources_reglees as (factures bigint[], id_paiement bigint);
comment on type facturation.sources_reglees is 'Factures des sources, dans leur ordre ; id_paiement est null si rien n''a été payé.';

create function finances._sources_regler(
  p_sources facturation.source_a_regler[], p_id_activite bigint, p_id_client bigint, p_montant core.montant,
  p_id_moyen bigint, p_id_caisse bigint default null, p_date timestamptz default null, p_motif core.texte default null,
  p_reference core.libelle default null, p_emise_le timestamptz default null, p_taxable boolean default true,
  p_comptant boolean default false)
returns facturation.sources_reglees
language plpgsql volatile as $$
declare
  v_id_activite bigint := facturation._activite_permise(p_id_activite);
  v_emises bigint[] := finances._sources_verrouiller(p_sources); -- the invoice of each source, NULL if it has none yet
  v_source facturation.source_a_regler;
  v_lignes record;
  v_debiteur bigint; -- the client who paid too much, or whose credit pays
  v_seule bigint; -- the only invoice that is paid, by the whole amount
  v_motif text;
  v_totaux numeric[];
  v_taxables boolean[];
  v_numero text;
  v_date timestamptz;
  v_mode_prix facturation.mode_prix;
  v_taxe numeric;
  v_factures bigint[] := v_emises;
  v_id_paiement bigint;
begin
  for i in 1..cardinality(p_sources) loop
    v_source := p_sources[i];
    if v_emises[i] is null then
      if coalesce(cardinality(v_source.lignes), 0) = 0 then
        perform core.refuser(400, 'FACTURE_SANS_LIGNE', 'Une facture compte au moins une ligne.');
      end if;
      v_factures[i] := nextval('facturation.facture_id_facture_seq');
      with lignes as (
        insert into facturation.facture_ligne (id_facture, libelle, quantite, prix_unitaire, code_taxe)
        select v_factures[i], l.libelle, coalesce(l.quantite, 1), l.prix_unitaire, coalesce(l.code_taxe, (
                 select a.code_taxe from core.activite a where a.id_activite = v_id_activite and p_taxable))
          from unnest(v_source.lignes) l
        returning total, code_taxe
      )
      select sum(l.total) - coalesce(v_source.remise, 0) as total, bool_or(l.code_taxe is not null) as taxable
        into v_lignes from lignes l;
      v_totaux[i] := v_lignes.total;
      v_taxables[i] := v_lignes.taxable;
    end if;
  end loop;
  if p_montant > 0 then
    if v_emises[1] is not null then
      select f.id_client, f.libelle into v_debiteur, v_motif
        from facturation.facture f where f.id_facture = v_emises[1];
    end if;
    v_debiteur := coalesce(v_debiteur, p_id_client);
    if v_debiteur is not null then
      v_debiteur := case when p_montant > (select coalesce(sum(s.montant), 0) from unnest(p_sources) s)
                         then coalesce(p_id_client, case when finances._est_credit(p_id_moyen) then v_debiteur end)
                         when finances._est_credit(p_id_moyen) then v_debiteur end;
    end if;
    if cardinality(p_sources) = 1 and p_sources[1].montant = p_montant then
      v_seule := v_factures[1];
    end if;
    insert into finances.paiement (date, montant, id_moyen, id_activite, id_caisse, motif, reference, id_client,
                                   id_facture)
    values (coalesce(p_date, core.moment(), now()), p_montant, p_id_moyen, v_id_activite, p_id_caisse,
            coalesce(p_motif, v_motif, p_sources[1].libelle), p_reference, v_debiteur, v_seule)
    returning id_paiement into v_id_paiement;
    if v_seule is null then
      for i in 1..cardinality(p_sources) loop
        if p_sources[i].montant > 0 then
          insert into finances.application_paiement (id_paiement, id_facture, montant)
          values (v_id_paiement, v_factures[i], p_sources[i].montant);
        end if;
      end loop;
    end if;
  end if;
  -- The invoices are inserted last, because their numbers lock the counter until the commit. Their tax is read once,
  -- for their own day: what a counter sale has to pay and what its invoice says cannot differ.
  for i in 1..cardinality(p_sources) loop
    if v_emises[i] is null then
      v_source := p_sources[i];
      v_numero := core._numeroter('FAC', core._annee_du_numero());
      v_date := coalesce(p_emise_le, core.moment(), clock_timestamp());
      v_mode_prix := null;
      if v_taxables[i] and v_totaux[i] >= 0 then
        select t.mode_prix, t.montant into v_mode_prix, v_taxe
          from facturation._facture_taxer(v_factures[i], coalesce(v_source.remise, 0), core.jour(v_date),
                                          v_source.source_type) t;
      end if;
      if p_comptant then
        perform facturation._paiement_exact(
          v_source.montant, v_totaux[i] + case v_mode_prix when 'HT' then v_taxe else 0 end);
      end if;
      insert into facturation.facture (id_facture, numero, id_client, id_activite, libelle, remise, source_type,
                                       source_id, date, mode_prix, ticket)
      overriding system value
      values (v_factures[i], v_numero, p_id_client, v_id_activite, v_source.libelle, coalesce(v_source.remise, 0),
              v_source.source_type, v_source.source_id, v_date, v_mode_prix, core.ticket());
    end if;
  end loop;
  return (v_factures, v_id_paiement);
end $$;
comment on function finances._sources_regler is
  'Le règlement : émet la facture de chaque source d''un même client qui n''en a pas, puis leur applique, chacune sa part, un seul paiement ; ce qui dépasse les parts reste au paiement. Une ligne sans code de taxe prend celui de l''activité, sauf si rien n''est taxable. Au comptant, chaque part est le total de sa facture. Refuse FACTURE_SANS_LIGNE, PAIEMENT_DIFFERENT_DU_TOTAL, REMISE_EXCESSIVE, FACTURE_ANNULEE, SURPAIEMENT.';
-- Each caller passes at least one line, and a cancelled invoice of the source is ignored. Only a counter sale is
-- compared with its total, and its callers refuse by this rule themselves. A new payment is no refund and no deposit.
call core.ne_refuse_pas('finances._sources_regler', 'FACTURE_SANS_LIGNE', 'FACTURE_ANNULEE',
  'PAIEMENT_DIFFERENT_DU_TOTAL', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION');
call core.peut_refuser('finances._sources_regler', 'PAIEMENT_MOYEN_INCONNU');

create function finances._facture_regler(
  p_source_type facturation.source_type, p_source_id bigint, p_id_activite bigint, p_id_client bigint,
  p_libelle core.libelle, p_lignes facturation.ligne_a_facturer[], p_remise core.montant default 0,
  p_montant core.montant default 0, p_id_moyen bigint default null, p_id_caisse bigint default null,
  p_date timestamptz default null, p_motif core.texte default null, p_reference core.libelle default null)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v facturation.sources_reglees;
begin
  v := finances._sources_regler(
    array[row(p_source_type, p_source_id, p_libelle, p_lignes, p_remise, p_montant)::facturation.source_a_regler],
    p_id_activite, p_id_client, p_montant, p_id_moyen, p_id_caisse, p_date, p_motif, p_reference);
  return finances._reglement(v.factures[1], v.id_paiement);
end $$;
comment on function finances._facture_regler is
  'Règlement d''une seule source : émet sa facture si elle n''en a pas (client, libellé, lignes et remise ne servent qu''alors), puis lui applique le montant payé, 0 pour aucun paiement. Ce qui ne répond pas le règlement appelle finances._sources_regler.';

create function finances._sources_verrouiller(p_sources facturation.source_a_regler[]) returns bigint[]
language plpgsql volatile as $$
declare
  v record;
  v_factures bigint[];
begin
  if cardinality(p_sources) = 1 then
    v_factures := array[finances._source_verrouiller(p_sources[1].source_type, p_sources[1].source_id)];
  else
    v_factures := array_fill(null::bigint, array[cardinality(p_sources)]);
    for v in
      select s.source_type, s.source_id, s.rang
        from unnest(p_sources) with ordinality as s (source_type, source_id, libelle, lignes, remise, montant, rang)
       order by s.source_type, s.source_id
    loop
      v_factures[v.rang] := finances._source_verrouiller(v.source_type, v.source_id);
    end loop;
  end if;
  if num_nonnulls(variadic v_factures) > 0 then
    perform from facturation.facture f where f.id_facture = any (v_factures) order by f.id_facture for no key update;
  end if;
  return v_factures;
end $$;
comment on function finances._sources_verrouiller is
  'Verrouille des sources et leurs factures ; rend la facture de chacune, null si elle n''en a pas.';

-- Each sale of a service (PRESTATION), or of a source outside the trades (AUTRE), gets a new invoice. These sources
-- need no lock.
create function finances._source_verrouiller(p_source_type facturation.source_type, p_source_id bigint) returns bigint
language plpgsql volatile as $$
begin
  if p_source_type in ('PRESTATION', 'AUTRE') then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_source_type || ' ' || p_source_id, core._verrou('SOURCE')));
  return (select f.id_facture from facturation.facture f
           where f.source_type = p_source_type and f.source_id = p_source_id
             and f.source_type not in ('PRESTATION', 'AUTRE') and not f.annulee);
end $$;
comment on function finances._source_verrouiller is
  'Verrouille une source et rend sa facture. Qui vient second attend ici, puis paie la facture que le premier a faite.';

create function finances._facture_payer(
  p_id_facture bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_caisse bigint default null,
  p_date timestamptz default null, p_motif core.texte default null, p_reference core.libelle default null)
returns bigint
language plpgsql volatile as $$
declare
  v record;
  v_id_client bigint; -- the client whose credit pays
  v_id_paiement bigint;
begin
  select f.id_activite, f.libelle, f.id_client into strict v from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite())
     for no key update;
  if v.id_client is not null then
    v_id_client := case when finances._est_credit(p_id_moyen) then v.id_client end;
  end if;
  insert into finances.paiement (date, montant, id_moyen, id_activite, id_caisse, motif, reference, id_client,
                                 id_facture)
  values (coalesce(p_date, core.moment(), now()), p_montant, p_id_moyen, v.id_activite, p_id_caisse,
          coalesce(p_motif, v.libelle), p_reference, v_id_client, p_id_facture)
  returning id_paiement into v_id_paiement;
  return v_id_paiement;
end $$;
comment on function finances._facture_payer is
  'Paie une facture existante, en tout ou en partie, et rend le paiement. Refuse NOT_FOUND, FACTURE_ANNULEE, SURPAIEMENT.';
-- The function inserts a new payment, which is no refund and no deposit.
call core.ne_refuse_pas('finances._facture_payer', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION');
call core.peut_refuser('finances._facture_payer', 'PAIEMENT_MOYEN_INCONNU');
