-- One payment for several sources, in the order given: the settlement of what is paid together.
-- Locks, in this order: the sources and the invoices by id, the till (shared), the counter of the numbers.

create type facturation.part_a_payer as (
  source_type facturation.source_type, source_id bigint, libelle core.libelle, total core.montant,
  montant core.montant_du_reglement);
comment on type facturation.part_a_payer is 'Part d''un paiement qui revient à une source ; libellé et total servent à émettre sa facture si elle n''en a pas.';

create function facturation._paiement_repartir(
  p_parts facturation.part_a_payer[], p_id_activite bigint, p_id_client bigint, p_montant core.montant_du_reglement,
  p_id_moyen bigint, p_date timestamptz, p_motif core.texte, p_reference core.libelle)
returns bigint
language plpgsql volatile as $$
declare
  v_id_activite bigint := facturation._activite_permise(p_id_activite);
  v_annee integer := extract(year from core.aujourdhui());
  v_id_paiement bigint;
  v_factures bigint[];
  v_nouvelles bigint[];
begin
  perform facturation._source_verrouiller(p.source_type, p.source_id)
    from (select * from unnest(p_parts) order by source_type, source_id) p;
  perform from facturation.facture f join unnest(p_parts) p using (source_type, source_id)
    where not f.annulee order by f.id_facture for no key update of f;

  select array_agg(x.id_facture order by x.rang), array_agg(x.id_facture order by x.rang) filter (where x.nouvelle)
    into v_factures, v_nouvelles
    from (select o.rang, o.id_facture is null as nouvelle,
                 coalesce(o.id_facture, nextval('facturation.facture_id_facture_seq')) as id_facture
            from (select p.rang, f.id_facture
                    from unnest(p_parts) with ordinality as p (source_type, source_id, libelle, total, montant, rang)
                    left join facturation.facture f
                      on f.source_type = p.source_type and f.source_id = p.source_id and not f.annulee
                   order by p.rang) o) x;

  insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire)
  select x.id_facture, x.libelle, x.total
    from unnest(v_factures, p_parts) with ordinality as x (id_facture, source_type, source_id, libelle, total, montant, rang)
   where x.id_facture = any (v_nouvelles) order by x.rang;
  insert into finances.paiement (date, montant, id_moyen, id_activite, motif, reference, id_client)
  values (coalesce(p_date, now()), p_montant, p_id_moyen, v_id_activite, p_motif, p_reference,
          case when p_montant > (select coalesce(sum(x.montant), 0) from unnest(p_parts) x) then p_id_client end)
  returning id_paiement into v_id_paiement;
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  select v_id_paiement, x.id_facture, x.montant
    from unnest(v_factures, p_parts) with ordinality as x (id_facture, source_type, source_id, libelle, total, montant, rang)
   order by x.rang;
  -- Invoices come last: their numbers lock the counter until the commit.
  insert into facturation.facture (id_facture, numero, id_client, id_activite, libelle, source_type, source_id)
  overriding system value
  select x.id_facture, core._numeroter('FAC', v_annee), p_id_client, v_id_activite, x.libelle, x.source_type, x.source_id
    from (select * from unnest(v_factures, p_parts) with ordinality
                     as x (id_facture, source_type, source_id, libelle, total, montant, rang)
           where x.id_facture = any (v_nouvelles) order by x.rang) x;
  return v_id_paiement;
end $$;
comment on function facturation._paiement_repartir(facturation.part_a_payer[], bigint, bigint, core.montant_du_reglement,
  bigint, timestamptz, core.texte, core.libelle) is
  'Écrit un encaissement et l''applique à plusieurs sources du même client, en émettant les factures qui manquent ; ce qui dépasse leurs parts reste au paiement. Refuse SURPAIEMENT.';

create function facturation._source_verrouiller(p_source_type facturation.source_type, p_source_id bigint) returns void
language sql volatile
begin atomic
  select pg_advisory_xact_lock(hashtextextended(p_source_type || ' ' || p_source_id, 4302));
end;
comment on function facturation._source_verrouiller(facturation.source_type, bigint) is
  'Qui vient second attend ici, puis paie la facture que le premier a faite.';
