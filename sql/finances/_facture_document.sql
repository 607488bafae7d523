-- The portal shares this function: it reads tables, whose row-level security shows only the rows of its client.
create function finances._document_dresser(p_facture facturation.facture) returns facturation.document_facture
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
    select row(l.id_ligne, l.id_facture, l.libelle, l.quantite, l.prix_unitaire, l.total, l.code_taxe,
               coalesce(x.base, l.total), coalesce(x.montant, 0))::facturation.facture_ligne_vue
      from facturation.facture_ligne l
      left join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
     where l.id_facture = p_facture.id_facture
     order by l.id_ligne);
  v.remise := p_facture.remise;
  v.montant_total := p_facture.montant_total;
  if p_facture.mode_prix is not null then
    v.taxes := array(
      select facturation._document_taxe(t.nature, t.taux, sum(x.base), sum(x.montant))
        from facturation.facture_ligne_taxe x
        join core.taxe t on t.id_taxe = x.id_taxe
       where x.id_facture = p_facture.id_facture
       group by t.id_taxe
       order by t.taux desc, t.code);
    v.montant_ht := p_facture.montant_total - p_facture.montant_taxe;
    v.mode_prix := p_facture.mode_prix;
    v.numero_contribuable := nullif(core.parametre('NUMERO_CONTRIBUABLE'), '');
  end if;
  v.montant_paye := p_facture.montant_paye;
  v.reste := p_facture.reste;
  v.montant_avoirs := p_facture.montant_avoirs;
  v.montant_credit := p_facture.montant_credit;
  v.avoirs := array(
    select a.numero from facturation.avoir a where a.id_facture = p_facture.id_facture order by a.id_avoir);
  v.paiements := array(
    select row(p.jour, m.libelle, p.reference, a.montant)::facturation.document_paiement
      from finances.imputation_vue a
      join finances.paiement p on p.id_paiement = a.id_paiement
      join finances.moyen_paiement m on m.id_moyen = p.id_moyen
     where a.id_facture = p_facture.id_facture
     order by p.date, a.id_paiement, a.id_application);
  v.motif_annulation := p_facture.motif_annulation;
  v.jeton := core._jeton('facture', p_facture.id_facture);
  return v;
end $$;
comment on function finances._document_dresser is
  'Une facture prête à imprimer, sans son vendeur ; l''appelant a vérifié qu''elle peut être vue.';
