-- Rebilled charges: views, meter readings, and the client who pays. A charge has the state of its invoice.

create view residence.categorie_charge_vue as
select c.id_categorie_charge, c.libelle, c.actif
  from residence.categorie_charge c
 where (select residence._visible());
comment on view residence.categorie_charge_vue is 'Catégories de charges.';

create view residence.charge_facturee_vue as
select c.id_charge, c.id_logement, c.id_categorie_charge, c.periode, c.compteur_numero, c.lecture_debut, c.lecture_fin,
       c.consommation, c.montant, coalesce(f.montant_paye, 0)::core.montant as montant_paye,
       coalesce(f.reste, c.montant)::core.montant as reste_a_payer,
       coalesce(f.statut::text, 'IMPAYEE')::residence.statut_charge as statut,
       l.numero as numero_logement, k.libelle as categorie_libelle, c.id_client, f.id_facture
  from residence.charge_facturee c
  join residence.logement l on l.id_logement = c.id_logement
  join residence.categorie_charge k on k.id_categorie_charge = c.id_categorie_charge
  left join facturation.facture f on f.source_type = 'CHARGE' and f.source_id = c.id_charge and not f.annulee
 where (select residence._visible())
   and (f.id_facture is not null or not exists (
         select from facturation.facture a where a.source_type = 'CHARGE' and a.source_id = c.id_charge));
comment on view residence.charge_facturee_vue is 'Charges refacturées et ce qui en est payé, sans celles dont la facture est annulée.';
comment on column residence.charge_facturee_vue.consommation is 'lecture_fin − lecture_debut ; celle déclarée quand un relevé manque.';
comment on column residence.charge_facturee_vue.statut is 'IMPAYEE, PARTIELLE ou PAYEE, comme sa facture.';
comment on column residence.charge_facturee_vue.id_client is 'Client qui occupait le logement, null s''il n''est pas connu.';
call core.peut_etre_null('residence.charge_facturee_vue', 'id_facture');
call core.jamais_null('residence.charge_facturee_vue', 'montant_paye', 'reste_a_payer', 'statut');

create function residence._t10_charge_remplir() returns trigger
language plpgsql volatile as $$
begin
  if new.lecture_fin >= new.lecture_debut then
    new.consommation := new.lecture_fin - new.lecture_debut;
  end if;
  if tg_op = 'INSERT' then
    new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  end if;
  return new;
end $$;
comment on function residence._t10_charge_remplir is
  'Consommation d''après les relevés, quoi qu''on y écrive ; sans eux celle déclarée reste. Auteur.';

create trigger t10_charge_remplir before insert or update on residence.charge_facturee
  for each row execute function residence._t10_charge_remplir();

create function residence._charge_regler(p_id_charge bigint, p_montant core.montant, p_id_moyen bigint)
returns facturation.sources_reglees
language plpgsql volatile as $$
declare
  v residence.charge_facturee_vue := residence.charge_detail(p_id_charge);
  v_libelle core.libelle := left(format('%s %s, logement %s', v.categorie_libelle, v.periode, v.numero_logement), 200);
begin
  return finances._sources_regler(
    array[row('CHARGE', v.id_charge, v_libelle,
              array[facturation._ligne(v_libelle, 1, v.montant, (
                select l.code_taxe from residence.logement l where l.id_logement = v.id_logement))],
              0, p_montant)::facturation.source_a_regler],
    p_id_activite => residence._activite(), p_id_client => v.id_client, p_montant => p_montant,
    p_id_moyen => p_id_moyen);
end $$;
comment on function residence._charge_regler is
  'Règlement d''une charge : sa facture, et ce qui en est payé ; 0 ne paie rien.';
