-- The limit of the data model: the rows that a settlement writes, in copies of the same tables with the same keys and
-- indexes, the same journal and the same events, by one function. What it leaves out: triggers, the checks of a till, of
-- a deposit, of credit, of a closed month and of large amounts, several sources, taxes, clients, and hand-written SQL
-- that is always right. It has no domain, CHECK or generated column. A settlement cannot cost less than this.

create schema limite;
create table limite.facture (
  like facturation.facture including indexes including identity including defaults,
  foreign key (id_activite) references core.activite, foreign key (id_utilisateur) references auth.utilisateur)
  with (fillfactor = 85);
create table limite.paiement (
  like finances.paiement including indexes including identity including defaults,
  foreign key (id_moyen) references finances.moyen_paiement, foreign key (id_activite) references core.activite,
  foreign key (id_utilisateur) references auth.utilisateur,
  foreign key (id_facture) references limite.facture deferrable initially deferred);
create table limite.facture_ligne (
  like facturation.facture_ligne including indexes including identity including defaults,
  foreign key (id_facture) references limite.facture deferrable initially deferred);
create table limite.compteur (annee integer primary key, valeur bigint not null) with (fillfactor = 50);

insert into limite.facture overriding system value select * from facturation.facture;
select setval('limite.facture_id_facture_seq', max(f.id_facture)) from limite.facture f;

-- Without an invoice it makes one with a single line of p_prix.
create function limite.regler(
  p_montant numeric, p_id_moyen bigint, p_id_facture bigint default null, p_prix numeric default null)
returns facturation.facture_solde
language plpgsql as $$
declare
  v_auteur bigint := core.utilisateur();
  v_adresse inet := audit._adresse_ip();
  v_requete text := audit._requete();
  v_cle text := audit._cle_d_api();
  v_jour date := core.jour(clock_timestamp());
  v_moyen record;
  v_rang bigint;
  v_avant limite.facture;
  v_facture limite.facture;
  v_ligne limite.facture_ligne;
  v_paiement limite.paiement;
begin
  select m.actif, m.credit into strict v_moyen from finances.moyen_paiement m where m.id_moyen = p_id_moyen;
  if p_id_facture is null then
    v_facture.id_facture := nextval('limite.facture_id_facture_seq');
    insert into limite.facture_ligne as l (id_facture, libelle, quantite, prix_unitaire, total)
    values (v_facture.id_facture, 'Location de chaises', 1, p_prix, p_prix) returning * into v_ligne;
  else
    select * into strict v_avant from limite.facture f where f.id_facture = p_id_facture for no key update;
    if v_avant.annulee or p_montant > v_avant.reste then
      raise exception 'SURPAIEMENT';
    end if;
    v_facture.id_facture := p_id_facture;
  end if;
  insert into limite.paiement as p (date, jour, montant, id_moyen, id_activite, id_utilisateur, motif, credit, id_facture)
  values (now(), v_jour, p_montant, p_id_moyen, 1, v_auteur, 'Location de chaises', v_moyen.credit,
          v_facture.id_facture)
  returning * into v_paiement;
  if p_id_facture is null then
    insert into limite.compteur as c (annee, valeur) values (extract(year from v_jour), 1)
    on conflict (annee) do update set valeur = c.valeur + 1 returning c.valeur into v_rang;
    insert into limite.facture as f (
      id_facture, numero, date, jour, id_activite, id_utilisateur, libelle, montant_total, montant_paye, source_type,
      source_id, reste, statut)
    overriding system value
    values (v_facture.id_facture, 'GSG-FAC-2026-L' || v_rang, clock_timestamp(), v_jour, 1, v_auteur,
            'Location de chaises', p_prix, p_montant, 'PRESTATION', 1, p_prix - p_montant,
            case when p_prix = p_montant then 'PAYEE' else 'PARTIELLE' end::facturation.statut_facture)
    returning * into v_facture;
    insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, apres, adresse_ip,
                               requete, cle)
    values (v_auteur, 'facturation', 'INSERT', 'facture_ligne', v_ligne.id_ligne::text, null, to_jsonb(v_ligne),
            v_adresse, v_requete, v_cle),
           (v_auteur, 'finances', 'INSERT', 'paiement', v_paiement.id_paiement::text, p_montant, to_jsonb(v_paiement),
            v_adresse, v_requete, v_cle),
           (v_auteur, 'facturation', 'INSERT', 'facture', v_facture.id_facture::text, v_facture.montant_total,
            to_jsonb(v_facture), v_adresse, v_requete, v_cle);
  else
    update limite.facture f
       set montant_paye = f.montant_paye + p_montant, reste = f.reste - p_montant,
           statut = case when f.reste = p_montant then 'PAYEE' else 'PARTIELLE' end::facturation.statut_facture
     where f.id_facture = p_id_facture returning * into v_facture;
    insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres, adresse_ip,
                               requete, cle)
    values (v_auteur, 'finances', 'INSERT', 'paiement', v_paiement.id_paiement::text, p_montant, null,
            to_jsonb(v_paiement), v_adresse, v_requete, v_cle),
           (v_auteur, 'facturation', 'UPDATE', 'facture', v_facture.id_facture::text, v_facture.montant_total,
            to_jsonb(v_avant), to_jsonb(v_facture), v_adresse, v_requete, v_cle);
  end if;
  insert into evenement.evenement (type, id_entite, id_activite, donnees, id_utilisateur, requete)
  values ('paiement.recu', v_paiement.id_paiement, 1, json_build_object(
            'id_paiement', v_paiement.id_paiement::text, 'date', v_paiement.date, 'montant', v_paiement.montant::text,
            'id_moyen', p_id_moyen::text, 'motif', v_paiement.motif, 'reference', v_facture.numero,
            'id_facture', v_facture.id_facture::text, 'facture', json_build_object(
              'id_facture', v_facture.id_facture::text, 'montant_total', v_facture.montant_total::text,
              'montant_paye', v_facture.montant_paye::text, 'reste', v_facture.reste::text,
              'statut', v_facture.statut)), v_auteur, v_requete);
  if p_id_facture is null then
    insert into evenement.evenement (type, id_entite, id_activite, donnees, id_utilisateur, requete)
    values ('facture.emise', v_facture.id_facture, 1, json_build_object(
              'id_facture', v_facture.id_facture::text, 'numero', v_facture.numero,
              'montant_total', v_facture.montant_total::text, 'lignes', json_build_array(row_to_json(v_ligne))),
            v_auteur, v_requete);
  end if;
  return row(v_facture.id_facture, v_facture.montant_total, v_facture.montant_paye, v_facture.reste,
             v_facture.statut)::facturation.facture_solde;
end $$;
