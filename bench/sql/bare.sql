-- A settlement without rules, permissions, tills or journal: the measure of what PostgreSQL can do for one.
-- It has primary keys and indexes on the keys of other tables. The number is taken as late as possible, so that the
-- counter is locked for the shortest time.

create schema bare;

create table bare.compteur (annee integer primary key, valeur bigint not null) with (fillfactor = 50);

create table bare.facture (
  id_facture bigint generated always as identity primary key, numero text not null, date timestamptz not null,
  id_client bigint, id_activite bigint, id_utilisateur bigint, libelle text, montant_total numeric(14,2) not null,
  montant_paye numeric(14,2) not null) with (fillfactor = 85);
create index on bare.facture (id_client);
create index on bare.facture (id_activite);
create index on bare.facture (id_utilisateur);

create table bare.facture_ligne (
  id_ligne bigint generated always as identity primary key, id_facture bigint not null, libelle text not null,
  quantite numeric(14,3) not null, prix_unitaire numeric(14,2) not null);
create index on bare.facture_ligne (id_facture);

create table bare.paiement (
  id_paiement bigint generated always as identity primary key, date timestamptz not null, montant numeric(14,2) not null,
  id_moyen bigint not null, id_activite bigint, id_utilisateur bigint);
create index on bare.paiement (id_moyen);
create index on bare.paiement (id_activite);
create index on bare.paiement (id_utilisateur);

create table bare.application_paiement (
  id_application bigint generated always as identity primary key, id_paiement bigint not null, id_facture bigint not null,
  montant numeric(14,2) not null);
create index on bare.application_paiement (id_paiement);
create index on bare.application_paiement (id_facture);

-- Payments that bench/settlement.py makes with the triggers of the journal disabled.
create table bare.sans_journal (id_paiement bigint primary key);

create type bare.reglement as (
  id_facture bigint, numero text, id_paiement bigint, montant_total numeric, montant_paye numeric, reste numeric);

-- Without an invoice it makes one with a single line of p_prix.
create function bare.regler(p_montant numeric, p_id_moyen bigint, p_id_facture bigint default null, p_prix numeric default null)
returns bare.reglement
language plpgsql as $$
declare
  v bare.reglement;
  v_annee integer := extract(year from now());
  v_rang bigint;
begin
  if p_id_facture is null then
    v.id_facture := nextval('bare.facture_id_facture_seq');
    v.montant_total := p_prix;
    insert into bare.facture_ligne (id_facture, libelle, quantite, prix_unitaire)
    values (v.id_facture, 'Location de chaises', 1, p_prix);
  else
    select f.id_facture, f.numero, f.montant_total into strict v.id_facture, v.numero, v.montant_total
      from bare.facture f where f.id_facture = p_id_facture for no key update;
  end if;
  insert into bare.paiement (date, montant, id_moyen, id_activite, id_utilisateur) values (now(), p_montant, p_id_moyen, 1, 1)
  returning id_paiement into v.id_paiement;
  insert into bare.application_paiement (id_paiement, id_facture, montant)
  values (v.id_paiement, v.id_facture, p_montant);
  if p_id_facture is null then
    insert into bare.compteur as c (annee, valeur) values (v_annee, 1)
    on conflict (annee) do update set valeur = c.valeur + 1
    returning c.valeur into v_rang;
    v.numero := 'FAC-' || v_annee || '-' || v_rang;
    v.montant_paye := p_montant;
    insert into bare.facture (id_facture, numero, date, id_activite, id_utilisateur, libelle, montant_total, montant_paye)
    overriding system value
    values (v.id_facture, v.numero, clock_timestamp(), 1, 1, 'Location de chaises', p_prix, p_montant);
  else
    update bare.facture f set montant_paye = f.montant_paye + p_montant where f.id_facture = p_id_facture
    returning f.montant_paye into v.montant_paye;
  end if;
  v.reste := v.montant_total - v.montant_paye;
  return v;
end $$;
