-- Some cases may have one account for each activity, method, till, category or tax: a new one has none of its own, and
-- uses the account of its case. Cash has no account by its method: it goes to its till.

create view compta.compte_vue as
with sujets as (
  select c.cas, null::bigint as id_activite, null::bigint as id_moyen, null::bigint as id_caisse,
         null::bigint as id_categorie_depense, null::core.code as code_taxe, null::text as cle,
         null::compta.cas as a_defaut,
         case c.cas
           when 'CLIENTS' then 'Ce que doivent les clients'
           when 'CREDIT_CLIENT' then 'Crédit des clients, laissé par leurs avoirs'
           when 'VENTES' then 'Ventes' when 'TAXES' then 'Taxes collectées' when 'CAISSES' then 'Caisses'
           when 'HORS_CAISSE' then 'Argent reçu ou rendu hors d''une caisse, par un moyen sans compte'
           when 'VIREMENTS' then 'Argent en chemin d''une caisse ou d''un compte à un autre'
           when 'FRAIS' then 'Frais des virements'
           when 'STOCK' then 'Stock de marchandises' when 'VARIATION_STOCK' then 'Variation du stock de marchandises'
           when 'A_NOUVEAU' then 'Report à nouveau, qui porte aussi le stock entré à la mise à jour'
           when 'RESULTAT' then 'Bénéfice d''un exercice clôturé'
           when 'RESULTAT_PERTE' then 'Perte d''un exercice clôturé'
           when 'FOURNISSEURS' then 'Ce qui est dû aux fournisseurs'
           when 'RECEPTIONS' then 'Marchandises reçues avant leur facture' when 'ACHATS' then 'Achats de marchandises'
           when 'FRAIS_ACHAT' then 'Frais d''approche des marchandises'
           when 'TAXES_DEDUCTIBLES' then 'Taxes déductibles des achats'
           when 'TAXES_EN_ATTENTE' then 'Taxes d''achats qui ne se déduisent pas encore'
           when 'DEPENSES' then 'Dépenses' when 'DEPENSES_HORS_CAISSE' then 'Argent des dépenses sans caisse'
           when 'CAUTIONS' then 'Cautions reçues' when 'CAUTIONS_RETENUES' then 'Cautions gardées'
           when 'SALAIRES' then 'Salaires de base' when 'PRIMES' then 'Éléments ajoutés aux salaires'
           when 'PERSONNEL' then 'Salaires nets à payer' when 'PERSONNEL_AVANCES' then 'Avances déduites des salaires'
           when 'PERSONNEL_RETENUES' then 'Retenues déduites des salaires' end as sujet
    from compta.compte c
   where num_nonnulls(c.id_activite, c.id_moyen, c.id_caisse, c.id_categorie_depense, c.code_taxe) = 0
  union all
  select 'VENTES', a.id_activite, null, null, null, null, a.id_activite::text, 'VENTES', 'Ventes, ' || a.libelle
    from core.activite a
  union all
  select 'CAISSES', null, null, k.id_caisse, null, null, k.id_caisse::text, 'CAISSES', 'Caisse « ' || k.libelle || ' »'
    from finances.caisse k
   where core._visible(k.id_caisse, (select core.caisse())) and core._visible(k.id_activite, (select core.activite()))
  union all
  select 'MOYENS', null, m.id_moyen, null, null, null, m.id_moyen::text, 'CAISSES',
         'Moyen de paiement « ' || m.libelle || ' »'
    from finances.moyen_paiement m where not m.credit
  union all
  select 'DEPENSES', null, null, null, d.id_categorie_depense, null, d.id_categorie_depense::text, 'DEPENSES',
         'Dépenses « ' || d.libelle || ' »'
    from finances.categorie_depense d
  union all
  select 'TAXES', null, null, null, null, t.code, t.code, 'TAXES', 'Taxe ' || t.code
    from core.code_taxe t
)
select s.cas || coalesce('-' || s.cle, '') as cas, s.sujet, c.compte, c.libelle::text as libelle, s.a_defaut,
       s.cas as genre, s.id_activite, s.id_moyen, s.id_caisse, s.id_categorie_depense, s.code_taxe
  from sujets s
  left join compta.compte c
    on (c.cas, coalesce(c.id_activite, 0), coalesce(c.id_moyen, 0), coalesce(c.id_caisse, 0),
        coalesce(c.id_categorie_depense, 0), coalesce(c.code_taxe, ''))
     = (s.cas, coalesce(s.id_activite, 0), coalesce(s.id_moyen, 0), coalesce(s.id_caisse, 0),
        coalesce(s.id_categorie_depense, 0), coalesce(s.code_taxe, ''));
comment on view compta.compte_vue is 'Tous les cas, et le compte de chacun.';
comment on column compta.compte_vue.cas is 'Nom du cas : CLIENTS, ou VENTES-3 pour la troisième activité.';
comment on column compta.compte_vue.sujet is 'Ce qui va à ce compte.';
comment on column compta.compte_vue.a_defaut is 'Cas dont le compte sert quand celui-ci n''en a pas ; null si l''export le demande. Un moyen sans compte va à celui de la caisse, ou de HORS_CAISSE.';
comment on column compta.compte_vue.genre is 'Cas général dont celui-ci est une part.';
call core.jamais_null('compta.compte_vue', 'cas', 'sujet', 'genre');
call core.peut_etre_null('compta.compte_vue', 'a_defaut');

-- One row: a query of the ledger reads the general accounts once, and not for each line.
create view compta._general_vue as
select max(c.compte) filter (where c.cas = 'CLIENTS') as clients,
       max(c.compte) filter (where c.cas = 'CREDIT_CLIENT') as credit_client,
       max(c.compte) filter (where c.cas = 'VENTES') as ventes,
       max(c.compte) filter (where c.cas = 'TAXES') as taxes,
       max(c.compte) filter (where c.cas = 'CAISSES') as caisses,
       max(c.compte) filter (where c.cas = 'HORS_CAISSE') as hors_caisse,
       max(c.compte) filter (where c.cas = 'VIREMENTS') as virements,
       max(c.compte) filter (where c.cas = 'FRAIS') as frais,
       max(c.compte) filter (where c.cas = 'STOCK') as stock,
       max(c.compte) filter (where c.cas = 'VARIATION_STOCK') as variation_stock,
       max(c.compte) filter (where c.cas = 'A_NOUVEAU') as a_nouveau,
       max(c.compte) filter (where c.cas = 'RESULTAT') as resultat,
       max(c.compte) filter (where c.cas = 'RESULTAT_PERTE') as resultat_perte,
       max(c.compte) filter (where c.cas = 'FOURNISSEURS') as fournisseurs,
       max(c.compte) filter (where c.cas = 'RECEPTIONS') as receptions,
       max(c.compte) filter (where c.cas = 'ACHATS') as achats,
       max(c.compte) filter (where c.cas = 'FRAIS_ACHAT') as frais_achat,
       max(c.compte) filter (where c.cas = 'TAXES_DEDUCTIBLES') as taxes_deductibles,
       max(c.compte) filter (where c.cas = 'TAXES_EN_ATTENTE') as taxes_en_attente,
       max(c.compte) filter (where c.cas = 'DEPENSES') as depenses,
       max(c.compte) filter (where c.cas = 'DEPENSES_HORS_CAISSE') as depenses_hors_caisse,
       max(c.compte) filter (where c.cas = 'CAUTIONS') as cautions,
       max(c.compte) filter (where c.cas = 'CAUTIONS_RETENUES') as cautions_retenues,
       max(c.compte) filter (where c.cas = 'SALAIRES') as salaires,
       max(c.compte) filter (where c.cas = 'PRIMES') as primes,
       max(c.compte) filter (where c.cas = 'PERSONNEL') as personnel,
       max(c.compte) filter (where c.cas = 'PERSONNEL_AVANCES') as personnel_avances,
       max(c.compte) filter (where c.cas = 'PERSONNEL_RETENUES') as personnel_retenues
  from compta.compte c
 where num_nonnulls(c.id_activite, c.id_moyen, c.id_caisse, c.id_categorie_depense, c.code_taxe) = 0;
comment on view compta._general_vue is 'Comptes des cas généraux, en une ligne.';
