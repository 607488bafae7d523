-- The amounts of a bill are computed once, when it is entered: the rates, the rounding and the regime of its date.

create type achat.ligne_a_saisir as (
  id_produit bigint, quantite core.quantite, prix_unitaire core.montant, id_categorie_depense bigint,
  libelle core.libelle, montant core.montant, code_taxe core.code, id_reception bigint);
comment on type achat.ligne_a_saisir is
  'Ligne d''une facture d''achat : un produit, sa quantité et son prix hors taxe, ou une catégorie de dépense, un libellé et un montant hors taxe.';
comment on column achat.ligne_a_saisir.montant is 'Hors taxe, d''une dépense.';
call core.peut_etre_null('achat.ligne_a_saisir', 'id_produit', 'quantite', 'prix_unitaire', 'id_categorie_depense',
  'libelle', 'montant', 'code_taxe', 'id_reception');

create function achat._lignes_verifier(p_lignes achat.ligne_a_saisir[], p_frais numeric, p_remise numeric) returns void
language plpgsql stable as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'ACHAT_SANS_LIGNE', 'Une facture d''achat compte au moins une ligne.');
  elsif exists (select from unnest(p_lignes) l
                 where not coalesce(num_nonnulls(l.id_produit, l.quantite, l.prix_unitaire) = 3
                                      and num_nonnulls(l.id_categorie_depense, l.libelle, l.montant) = 0
                                    or num_nonnulls(l.id_categorie_depense, l.libelle, l.montant) = 3
                                      and num_nonnulls(l.id_produit, l.quantite, l.prix_unitaire, l.id_reception) = 0,
                                    false)) then
    perform core.refuser(400, 'LIGNE_D_ACHAT',
      'Une ligne a un produit, sa quantité et son prix, ou une catégorie de dépense, un libellé et un montant.');
  end if;
  select sum(x.montant) as lignes, sum(x.montant) filter (where x.id_produit is not null) as marchandises,
         count(distinct x.id_categorie_depense) as categories, count(distinct x.code_taxe) as taxes into v
    from achat._lignes_chiffrer(p_lignes) x;
  if p_frais > 0 and coalesce(v.marchandises, 0) = 0 then
    perform core.refuser(400, 'FRAIS_SANS_MARCHANDISE',
      'Des frais d''approche se partagent entre des marchandises, selon leur valeur : il n''y en a pas.');
  elsif p_remise > v.lignes then
    perform core.refuser(400, 'REMISE_EXCESSIVE', 'La remise dépasse les lignes de la facture.',
                         jsonb_build_object('montant', v.lignes::text));
  elsif v.categories > 40 or v.taxes > 20 then
    perform core.refuser(400, 'TROP_DE_GENRES',
      'Une facture a au plus 40 catégories de dépense et 20 codes de taxe : partagez-la.');
  end if;
end $$;
comment on function achat._lignes_verifier is
  'Refuse ACHAT_SANS_LIGNE, LIGNE_D_ACHAT, FRAIS_SANS_MARCHANDISE, REMISE_EXCESSIVE, TROP_DE_GENRES.';
call core.ne_refuse_que('achat._lignes_verifier', 'frais', 'FRAIS_SANS_MARCHANDISE');
call core.ne_refuse_que('achat._lignes_verifier', 'remise', 'REMISE_EXCESSIVE');

create function achat._lignes_chiffrer(p_lignes achat.ligne_a_saisir[])
returns table (rang bigint, id_produit bigint, id_categorie_depense bigint, code_taxe text, montant numeric)
language sql stable
begin atomic
  select l.rang, l.id_produit, l.id_categorie_depense, l.code_taxe::text,
         coalesce(l.montant, core.arrondir(l.quantite * l.prix_unitaire))
    from unnest(p_lignes) with ordinality l (id_produit, quantite, prix_unitaire, id_categorie_depense, libelle,
                                             montant, code_taxe, id_reception, rang);
end;
comment on function achat._lignes_chiffrer is 'Montant hors taxe de chaque ligne.';

create function achat._partager(p_montant numeric, p_poids numeric[]) returns numeric[]
language sql stable
return case when p_montant > 0 then core.repartir(p_montant, p_poids)
            else array_fill(0::numeric, array[cardinality(p_poids)]) end;
comment on function achat._partager is 'Parts d''un montant, qui peut être nul.';

create function achat._lignes_calculer(
  p_lignes achat.ligne_a_saisir[], p_frais numeric, p_remise numeric, p_date date)
returns table (rang bigint, montant numeric, remise numeric, frais numeric, id_taxe bigint, taxe numeric)
language sql stable
begin atomic
  with l as materialized (select x.* from achat._lignes_chiffrer(p_lignes) x),
  p as (select array_agg(l.montant order by l.rang) as montants,
               array_agg(case when l.id_produit is null then 0 else l.montant end order by l.rang) as marchandises
          from l),
  n as materialized (
    select l.rang, l.montant, r.remise, r.frais, t.id_taxe, t.taux
      from l
      join p on true
      join unnest(achat._partager(p_remise, p.montants), achat._partager(p_frais, p.marchandises))
           with ordinality r (remise, frais, rang) on r.rang = l.rang
      left join lateral core._taxe_du_jour(l.code_taxe, p_date) t on true)
  select n.rang, n.montant, n.remise, n.frais, n.id_taxe, coalesce(t.montant, 0)
    from n
    left join facturation._taxer(array(
           select row(n.rang, n.montant - n.remise + n.frais, n.id_taxe, n.taux)::facturation.ligne_taxable
             from n order by n.rang), 0, 'HT') t on t.id_ligne = n.rang;
end;
comment on function achat._lignes_calculer is
  'Montant, part de la remise, part des frais et taxe de chaque ligne : les parts font toujours le tout.';

create function achat._deduction(p_date date) returns achat.deduction
language sql stable
return case when not core._assujetti(p_date) then 'AUCUNE'
            when core.parametre('TAXES_DUES') = 'ENCAISSEMENT' then 'PAIEMENT' else 'FACTURE' end::achat.deduction;
comment on function achat._deduction is 'Quand se déduit la taxe d''un achat de ce jour.';

create function achat._activite_de_l_achat(p_id_activite bigint, p_marchandises boolean) returns bigint
language plpgsql stable as $$
declare
  v_boutique constant bigint := market._activite();
begin
  if p_marchandises and p_id_activite <> v_boutique then
    perform core.refuser(400, 'ACTIVITE_DES_MARCHANDISES', 'Des marchandises s''achètent pour la boutique.');
  end if;
  return facturation._activite_permise(case when p_marchandises then v_boutique else p_id_activite end);
end $$;
comment on function achat._activite_de_l_achat is 'Activité d''une facture. Refuse NOT_FOUND, ACTIVITE_DES_MARCHANDISES.';
call core.ne_refuse_que('achat._activite_de_l_achat', 'id_activite', 'ACTIVITE_DES_MARCHANDISES');

create function achat.facture_creer(
  p_id_fournisseur bigint, p_numero_fournisseur core.libelle, p_date date, p_lignes achat.ligne_a_saisir[],
  p_echeance date default null, p_frais core.montant default 0, p_remise core.montant default 0,
  p_id_activite bigint default null)
returns achat.achat_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_marchandises constant boolean := exists (select from unnest(p_lignes) l where l.id_produit is not null);
  v_id_activite constant bigint := achat._activite_de_l_achat(p_id_activite, v_marchandises);
  v_id_achat bigint;
begin
  perform achat._lignes_verifier(p_lignes, p_frais, p_remise);
  perform achat._permis(v_marchandises, exists (select from unnest(p_lignes) l where l.id_produit is null), 'CREER');
  insert into achat.facture as f (id_fournisseur, numero_fournisseur, date, echeance, frais, remise, montant_ht,
                                  montant_taxe, deduction, id_activite)
  select p_id_fournisseur, p_numero_fournisseur, p_date, p_echeance, coalesce(p_frais, 0), coalesce(p_remise, 0),
         sum(c.montant - c.remise + c.frais), sum(c.taxe), achat._deduction(p_date), v_id_activite
    from achat._lignes_calculer(p_lignes, p_frais, p_remise, p_date) c
  returning f.id_achat into v_id_achat;
  insert into achat.facture_ligne (id_achat, id_produit, quantite, prix_unitaire, id_categorie_depense, libelle,
                                   montant, remise, frais, code_taxe, id_taxe, montant_taxe, id_reception)
  select v_id_achat, l.id_produit, l.quantite, l.prix_unitaire, l.id_categorie_depense, l.libelle, c.montant, c.remise,
         c.frais, l.code_taxe, c.id_taxe, c.taxe, l.id_reception
    from unnest(p_lignes) with ordinality l (id_produit, quantite, prix_unitaire, id_categorie_depense, libelle,
                                             montant, code_taxe, id_reception, rang)
    join achat._lignes_calculer(p_lignes, p_frais, p_remise, p_date) c on c.rang = l.rang
   order by l.rang;
  return achat.facture_detail(v_id_achat);
end $$;
comment on function achat.facture_creer is
  'Saisit la facture d''un fournisseur, brouillon jusqu''à sa validation. Prix hors taxe ; frais (des marchandises) et remise se partagent selon la valeur des lignes. Une ligne de marchandises déjà arrivées nomme leur réception.';
