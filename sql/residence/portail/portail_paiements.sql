create type residence.type_paiement_portail as enum ('LOYER', 'CHARGE', 'AUTRE');
comment on type residence.type_paiement_portail is 'Ce qu''un paiement du résident règle.';
create type residence.portail_paiement as (
  id_paiement bigint, date timestamptz, montant core.montant, type residence.type_paiement_portail, mode_paiement text,
  reference text);
comment on type residence.portail_paiement is 'Paiement du résident.';
comment on column residence.portail_paiement.reference is 'À défaut, numéro de la facture réglée ; null d''une caution sans référence.';
call core.peut_etre_null('residence.portail_paiement', 'mode_paiement', 'reference');
create type residence.portail_paiements as (paiements residence.portail_paiement[]);
comment on type residence.portail_paiements is 'Paiements du résident, du plus récent au plus ancien.';

create function residence.portail_paiements() returns residence.portail_paiements
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_liste();
begin
  return row(array(select p from residence._portail_paiements(v_id_client) p
                    order by p.date desc, p.id_paiement desc))::residence.portail_paiements;
end $$;
comment on function residence.portail_paiements is
  'Paiements du résident connecté qui règlent ses loyers et ses factures ; ceux de sa caution sont dans son histoire.';

create function residence._portail_type(p_source facturation.source_type) returns residence.type_paiement_portail
language sql immutable parallel safe
return case p_source when 'LOCATION' then 'LOYER'::residence.type_paiement_portail
                     when 'CHARGE' then 'CHARGE'::residence.type_paiement_portail
                     else 'AUTRE'::residence.type_paiement_portail end;
comment on function residence._portail_type is 'Nature d''un paiement, d''après la facture qu''il règle.';

create function residence._portail_paiements(p_id_client bigint) returns setof residence.portail_paiement
language sql stable
begin atomic
  -- A payment of several invoices shows the first one: the oldest rent before the others.
  select p.id_paiement, p.date, p.montant, f.type, m.libelle, coalesce(p.reference, f.numero)
    from (select distinct on (a.id_paiement)
                 a.id_paiement, residence._portail_type(f.source_type) as type, f.numero
            from facturation.facture f
            join finances.imputation_vue a on a.id_facture = f.id_facture
            left join residence.echeance e on f.source_type = 'LOCATION' and e.id_echeance = f.source_id
           where f.id_client = p_id_client
           order by a.id_paiement, residence._portail_type(f.source_type), e.date_echeance, f.id_facture) f
    join finances.paiement p on p.id_paiement = f.id_paiement
    join finances.moyen_paiement m on m.id_moyen = p.id_moyen
   where p.type = 'ENCAISSEMENT'
     and not exists (select from finances.paiement c where c.id_paiement_origine = p.id_paiement and c.annulation);
end;
comment on function residence._portail_paiements is
  'Argent reçu d''un client pour ses factures ; ce qui lui a été rendu n''en est pas, ni un paiement annulé.';

create function residence._portail_paiement(p_id_client bigint, p_id_paiement bigint) returns residence.portail_paiement
language sql stable
return core._trouve((
  select row(x.*)::residence.portail_paiement from (
    select p.* from residence._portail_paiements(p_id_client) p
    union all
    select p.id_paiement, p.date, p.montant, 'AUTRE'::residence.type_paiement_portail, m.libelle, p.reference
      from residence.contrat_location l
      join residence.caution c on c.id_contrat = l.id_contrat
      join residence.caution_evenement h on h.id_caution = c.id_caution and h.evenement = 'ENCAISSEMENT'
      join finances.paiement p on p.id_paiement = h.id_paiement
      join finances.moyen_paiement m on m.id_moyen = p.id_moyen
     where l.id_client = p_id_client
       and not exists (select from finances.paiement r
                        where r.id_paiement_origine = p.id_paiement and r.annulation)) x
   where x.id_paiement = p_id_paiement));
comment on function residence._portail_paiement is
  'Un paiement d''un client dont il a un reçu : ceux de ses factures, et celui de sa caution. Refuse NOT_FOUND.';
