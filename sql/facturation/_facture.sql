-- The rules that keep an issued invoice unchanged. The sums come from payments: sql/finances/reglement/_facture.sql.

create view facturation.facture_ligne_vue as
select l.id_ligne, l.id_facture, l.libelle, l.quantite, l.prix_unitaire, l.total, l.code_taxe::core.code,
       coalesce(x.base, l.total)::core.somme as montant_ht, coalesce(x.montant, 0)::core.somme as montant_taxe
  from facturation.facture_ligne l
  left join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne;
comment on view facturation.facture_ligne_vue is 'Lignes des factures.';
comment on column facturation.facture_ligne_vue.code_taxe is 'Code de taxe, null sans taxe.';
comment on column facturation.facture_ligne_vue.montant_ht is 'Base de la taxe, sa part de la remise déduite ; le total d''une ligne sans taxe.';
comment on column facturation.facture_ligne_vue.montant_taxe is 'Taxe de la ligne, 0 sans taxe.';
call core.jamais_null('facturation.facture_ligne_vue', 'montant_ht', 'montant_taxe');

create view facturation._facture_toute_vue as
select f.id_facture, f.numero, f.date, f.date as date_emission, f.id_client, f.id_activite, f.id_utilisateur, f.libelle,
       f.remise, f.montant_total, f.montant_paye, f.reste, f.statut, f.source_type, f.source_id,
       c.nom as client_nom, c.prenoms as client_prenoms, f.motif_annulation, f.montant_avoirs,
       (f.montant_total - f.montant_taxe)::core.somme as montant_ht, f.montant_taxe, f.mode_prix,
       f.ticket
  from facturation.facture f
  left join client.client c on c.id_client = f.id_client;
comment on view facturation._facture_toute_vue is 'Factures, sans limite.';

create view facturation.facture_vue as
select f.* from facturation._facture_toute_vue f where core._visible(f.id_activite, (select core.activite()));
comment on view facturation.facture_vue is 'Factures que l''utilisateur peut voir : celles de son activité, ou toutes.';
comment on column facturation.facture_vue.date_emission is 'Même instant que date.';
comment on column facturation.facture_vue.montant_total is 'Somme des lignes moins la remise ; taxe comprise.';
comment on column facturation.facture_vue.montant_paye is 'Ce que les paiements y ont appliqué.';
comment on column facturation.facture_vue.montant_avoirs is 'Ce que ses avoirs lui retirent.';
comment on column facturation.facture_vue.reste is 'Reste à payer : montant_total − montant_avoirs − montant_paye, 0 au moins.';
comment on column facturation.facture_vue.statut is 'PAYEE, PARTIELLE, IMPAYEE ou ANNULEE.';
comment on column facturation.facture_vue.montant_ht is 'montant_total − montant_taxe.';
comment on column facturation.facture_vue.montant_taxe is 'Taxe comprise dans montant_total, 0 sans taxe.';
comment on column facturation.facture_vue.mode_prix is 'TTC : les prix des lignes comprennent la taxe. HT : elle s''y ajoute. Null d''une facture sans taxe.';
comment on column facturation.facture_vue.ticket is 'Numéro du ticket qu''un appareil a imprimé sans réseau, null d''une facture faite ici.';
call core.peut_etre_null('facturation.facture_vue', 'client_nom', 'client_prenoms');
call core.jamais_null('facturation.facture_vue', 'montant_ht');

create view facturation.facture_detail_vue as
select f.*, array(select l from facturation.facture_ligne_vue l
                   where l.id_facture = f.id_facture order by l.id_ligne) as lignes,
       case when f.mode_prix is null then '{}' else facturation._taxes(f.id_facture) end as taxes
  from facturation.facture_vue f;
comment on view facturation.facture_detail_vue is 'Facture, ses lignes et ses taxes.';
comment on column facturation.facture_detail_vue.taxes is 'Par code et taux ; vide sans taxe.';

create type facturation.facture_solde as (
  id_facture bigint, montant_total core.somme, montant_paye core.somme, reste core.somme,
  statut facturation.statut_facture);
comment on type facturation.facture_solde is 'Montants et état d''une facture après un règlement.';

create function facturation._facture_solde(p_id_facture bigint) returns facturation.facture_solde
language sql stable
return (select row(f.id_facture, f.montant_total, f.montant_paye, f.reste, f.statut)::facturation.facture_solde
          from facturation.facture f where f.id_facture = p_id_facture);
comment on function facturation._facture_solde is 'Solde d''une facture, null sans facture.';

create function facturation._reste(p_annulee boolean, p_du numeric, p_recu numeric) returns numeric
language sql immutable parallel safe
return case when p_annulee then 0 else greatest(p_du - p_recu, 0) end;
comment on function facturation._reste is
  'Reste à payer d''une facture : montant_total − montant_avoirs, moins montant_paye − montant_credit ; 0 au moins.';

create function facturation._statut(p_annulee boolean, p_du numeric, p_recu numeric)
returns facturation.statut_facture
language sql immutable parallel safe
return case when p_annulee then 'ANNULEE'::facturation.statut_facture when p_recu >= p_du then 'PAYEE'
            when p_recu > 0 then 'PARTIELLE' else 'IMPAYEE' end;
comment on function facturation._statut is 'État d''une facture, des mêmes sommes que son reste.';

create function facturation._numero(p_id_facture bigint) returns text
language plpgsql stable as $$
begin
  return (select f.numero from facturation.facture f where f.id_facture = p_id_facture);
end $$;
comment on function facturation._numero is 'Numéro d''une facture, qui ne change jamais.';

create function facturation._t20_facture_emise() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'FACTURE_EMISE', 'Une facture émise ne change plus : annulez-la avec sa source.');
  return null;
end $$;
comment on function facturation._t20_facture_emise is 'Refuse de réécrire ou d''effacer une facture émise et ses lignes, ou d''y ajouter une ligne.';
-- A guard: no operation does this.
call core.ne_refuse_pas('facturation._t20_facture_emise', 'FACTURE_EMISE');

create trigger t20_facture_emise before delete or update of id_facture, numero, date, jour, id_client, id_activite,
  id_utilisateur, source_type, source_id, remise, mode_prix on facturation.facture
  for each row execute function facturation._t20_facture_emise();

-- The reason of a cancellation goes with the data of an erased client.
create trigger t20_facture_annulee before update of annulee, motif_annulation on facturation.facture
  for each row when (old.annulee and (not new.annulee or new.motif_annulation <> old.motif_annulation))
  execute function facturation._t20_facture_emise();

create trigger t20_facture_emise before update or delete on facturation.facture_ligne
  for each row execute function facturation._t20_facture_emise();

-- The lines and the taxes of an invoice are inserted just before it.
create function facturation._emise_refuser() returns void
language plpgsql stable as $$
begin
  perform core.refuser(409, 'FACTURE_EMISE', 'Une facture émise ne reçoit plus de lignes.');
end $$;
comment on function facturation._emise_refuser is 'Refuse une ligne ajoutée à une facture déjà émise : FACTURE_EMISE.';
-- A guard: no operation does this.
call core.ne_refuse_pas('facturation._emise_refuser', 'FACTURE_EMISE');

create function facturation._t20_facture_ligne() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from facturation.facture f where f.id_facture = new.id_facture) then
    perform facturation._emise_refuser();
  end if;
  -- MONTANT_MAXIMAL is at least one million.
  if new.quantite * new.prix_unitaire > 1000000 or new.prix_unitaire > 1000000 then
    perform core._ligne_verifier('prix_unitaire', new.quantite, new.prix_unitaire);
  end if;
  new.total := round(new.quantite * new.prix_unitaire, 2);
  return new;
end $$;
comment on function facturation._t20_facture_ligne is 'Total d''une ligne, quantité × prix.';

create trigger t20_facture_ligne before insert on facturation.facture_ligne
  for each row execute function facturation._t20_facture_ligne();

create function facturation._t20_ligne_taxe_tardive() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from facturation.facture f where f.id_facture = new.id_facture) then
    perform facturation._emise_refuser();
  end if;
  return new;
end $$;
comment on function facturation._t20_ligne_taxe_tardive is 'Refuse une taxe ajoutée à une facture déjà émise : FACTURE_EMISE.';

create trigger t20_ligne_taxe_tardive before insert on facturation.facture_ligne_taxe
  for each row execute function facturation._t20_ligne_taxe_tardive();

create trigger t20_ligne_taxe_emise before update or delete on facturation.facture_ligne_taxe
  for each row execute function facturation._t20_facture_emise();
