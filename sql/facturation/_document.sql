-- What an invoice and a ticket print: one picture of the invoice for both.

create type facturation.document_client as (
  code text, nom text, telephone text, email text, adresse text, ville text);
comment on type facturation.document_client is 'Client d''un document.';
comment on column facturation.document_client.nom is 'Prénoms et nom.';

create type facturation.document_paiement as (
  jour date, moyen text, reference text, montant core.montant_signe);
comment on type facturation.document_paiement is 'Paiement appliqué à la facture ; négatif quand il a été rendu.';

create type facturation.document_facture as (
  fichier text, organisation core.organisation, numero text, jour date, heure time, activite text, libelle text,
  vendeur text, statut facturation.statut_facture, client facturation.document_client,
  lignes facturation.facture_ligne_vue[], remise core.montant, montant_total core.montant, montant_paye core.montant,
  reste core.montant_signe, paiements facturation.document_paiement[], controle text, motif_annulation text);
comment on type facturation.document_facture is 'Tout ce qu''imprime une facture.';
comment on column facturation.document_facture.fichier is 'Nom du fichier, sans son suffixe.';
comment on column facturation.document_facture.heure is 'Heure locale, à la minute.';
comment on column facturation.document_facture.vendeur is 'Prénom et nom de qui l''a émise, son login s''il n''en a pas.';
comment on column facturation.document_facture.motif_annulation is 'Pourquoi la facture est annulée, null si elle tient.';
comment on column facturation.document_facture.controle is 'Texte du code QR : numéro, montant total et valeur de contrôle.';

create function facturation._document_client(p_id_client bigint) returns facturation.document_client
language sql stable
return (select row(c.code, concat_ws(' ', c.prenoms, c.nom), c.tel_principal, c.email, c.adresse, c.ville)::facturation.document_client
          from client.client c where c.id_client = p_id_client);
comment on function facturation._document_client(bigint) is 'Client d''un document, null sans client.';

-- Shared with the portal: it reads tables, of which row-level security leaves the portal its client's rows.
create function facturation._document_dresser(p_facture facturation.facture) returns facturation.document_facture
language plpgsql stable as $$
declare
  v facturation.document_facture;
begin
  v.fichier := 'facture-' || p_facture.numero;
  v.organisation := core._organisation();
  v.numero := p_facture.numero;
  v.jour := core.jour(p_facture.date);
  v.heure := date_trunc('minute', p_facture.date at time zone core.fuseau())::time;
  v.activite := (select a.libelle from core.activite a where a.id_activite = p_facture.id_activite);
  v.libelle := p_facture.libelle;
  v.statut := p_facture.statut;
  v.client := facturation._document_client(p_facture.id_client);
  v.lignes := array(
    select row(l.id_ligne, l.id_facture, l.libelle, l.quantite, l.prix_unitaire, l.total)::facturation.facture_ligne_vue
      from facturation.facture_ligne l
     where l.id_facture = p_facture.id_facture
     order by l.id_ligne);
  v.remise := p_facture.remise;
  v.montant_total := p_facture.montant_total;
  v.montant_paye := p_facture.montant_paye;
  v.reste := p_facture.reste;
  v.paiements := array(
    select row(p.jour, m.libelle, p.reference, a.montant)::facturation.document_paiement
      from finances.application_paiement a
      join finances.paiement p on p.id_paiement = a.id_paiement
      join finances.moyen_paiement m on m.id_moyen = p.id_moyen
     where a.id_facture = p_facture.id_facture
     order by p.date, a.id_application);
  v.motif_annulation := p_facture.motif_annulation;
  v.controle := core._controle(v.numero, v.montant_total);
  return v;
end $$;
comment on function facturation._document_dresser(facturation.facture) is
  'Une facture prête à imprimer, sans son vendeur ; l''appelant a vérifié qu''elle peut être vue.';

create function facturation._document(p_id_facture bigint) returns facturation.document_facture
language plpgsql stable as $$
declare
  v_facture facturation.facture;
  v facturation.document_facture;
begin
  perform facturation._facture(p_id_facture);
  select * into strict v_facture from facturation.facture f where f.id_facture = p_id_facture;
  v := facturation._document_dresser(v_facture);
  v.vendeur := (select coalesce(nullif(concat_ws(' ', u.prenom, u.nom), ''), u.login) from auth.utilisateur u where u.id_utilisateur = v_facture.id_utilisateur);
  return v;
end $$;
comment on function facturation._document(bigint) is 'Une facture visible par l''utilisateur, prête à imprimer. Refuse NOT_FOUND.';
