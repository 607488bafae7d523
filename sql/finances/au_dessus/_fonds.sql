-- The rows that a device keeps in order to sell without a network, and their changes.

-- Arguments: the kind, the column of the key or '', and the column of the price. Without one, '' keeps the last change
-- alone; a name that no column has keeps each tax.
create function finances._t90_fonds() returns trigger
language plpgsql volatile as $$
declare
  v_ligne constant jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  v_genre constant finances.genre_fonds := tg_argv[0]::finances.genre_fonds;
  v_id_element constant bigint := coalesce((v_ligne ->> nullif(tg_argv[1], ''))::bigint, 0);
begin
  if tg_argv[2] = '' and tg_op <> 'INSERT' then
    delete from finances.version_fonds v where v.genre = v_genre and v.id_element = v_id_element;
  end if;
  insert into finances.version_fonds (genre, id_element, prix, code_taxe)
  values (v_genre, v_id_element, (v_ligne ->> nullif(tg_argv[2], ''))::numeric, v_ligne ->> 'code_taxe');
  return null;
end $$;
comment on function finances._t90_fonds is 'Note un changement de ce que gardent les appareils ; d''un élément sans prix, le dernier suffit.';

create trigger t90_fonds_ajoute after insert on market.produit
  for each row execute function finances._t90_fonds('PRODUIT', 'id_produit', 'prix_vente');
create trigger t90_fonds_change after update of reference, nom, prix_vente, actif, code_barre, code_taxe
  on market.produit for each row when (
    (old.reference, old.nom, old.prix_vente, old.actif, old.code_barre, old.code_taxe)
    is distinct from (new.reference, new.nom, new.prix_vente, new.actif, new.code_barre, new.code_taxe))
  execute function finances._t90_fonds('PRODUIT', 'id_produit', 'prix_vente');
create trigger t90_fonds after insert or delete or update of nom, prix, disponible, code_taxe on restaurant.plat
  for each row execute function finances._t90_fonds('PLAT', 'id_plat', 'prix');
create trigger t90_fonds after insert or delete or update on pressing.type_vetement
  for each row execute function finances._t90_fonds('VETEMENT', 'id_type_vetement', '');
create trigger t90_fonds after insert or delete or update on pressing.prestation
  for each row execute function finances._t90_fonds('PRESTATION', 'id_prestation', 'sans');
create trigger t90_fonds after insert on pressing.tarif_kg
  for each row execute function finances._t90_fonds('TARIF_KG', '', 'prix_kg');
create trigger t90_fonds after insert or delete or update on core.taxe
  for each row execute function finances._t90_fonds('TAXE', 'id_taxe', '');
create trigger t90_fonds after insert or delete or update on finances.moyen_paiement
  for each row execute function finances._t90_fonds('MOYEN', 'id_moyen', '');
create trigger t90_fonds_ajoute after insert on client.client
  for each row execute function finances._t90_fonds('CLIENT', 'id_client', '');
create trigger t90_fonds_change after update of code, nom, prenoms, tel_principal on client.client
  for each row when ((old.code, old.nom, old.prenoms, old.tel_principal)
    is distinct from (new.code, new.nom, new.prenoms, new.tel_principal))
  execute function finances._t90_fonds('CLIENT', 'id_client', '');

create type finances.fonds_produit as (
  id_produit bigint, reference text, nom core.libelle, prix core.montant, code_barre text, code_taxe core.code);
comment on type finances.fonds_produit is 'Produit à vendre.';
call core.peut_etre_null('finances.fonds_produit', 'code_barre', 'code_taxe');
create type finances.fonds_plat as (id_plat bigint, nom core.libelle, prix core.montant, code_taxe core.code);
comment on type finances.fonds_plat is 'Plat disponible.';
call core.peut_etre_null('finances.fonds_plat', 'code_taxe');
create type finances.fonds_vetement as (id_type_vetement bigint, libelle core.libelle);
comment on type finances.fonds_vetement is 'Type de vêtement du catalogue du pressing.';
create type finances.fonds_prestation as (id_prestation bigint, libelle core.libelle, code_taxe core.code);
comment on type finances.fonds_prestation is 'Prestation du catalogue du pressing.';
call core.peut_etre_null('finances.fonds_prestation', 'code_taxe');
create type finances.fonds_taxe as (id_taxe bigint, code core.code, taux core.taux_taxe, du date, au date);
comment on type finances.fonds_taxe is 'Taux d''un code de taxe.';
call core.peut_etre_null('finances.fonds_taxe', 'au');
create type finances.fonds_moyen as (id_moyen bigint, libelle core.libelle, credit boolean);
comment on type finances.fonds_moyen is 'Moyen de paiement.';
comment on column finances.fonds_moyen.credit is 'Vrai du crédit du client, qui n''entre pas dans la caisse.';
create type finances.fonds_client as (
  id_client bigint, code text, nom core.libelle, prenoms core.libelle, telephone core.telephone);
comment on type finances.fonds_client is 'Client.';
create type finances.fonds_disparu as (genre finances.genre_fonds, id bigint);
comment on type finances.fonds_disparu is 'Ce qui ne se vend plus, ou n''existe plus.';
comment on column finances.fonds_disparu.id is 'Identifiant que la liste de son genre lui donnait.';

create type finances.fonds_de_caisse as (
  version bigint, complet boolean, organisation text, devise text, decimales integer, arrondi_facture boolean,
  code_taxe core.code, assujetti boolean, prix_ht boolean, prix_kg core.montant,
  produits finances.fonds_produit[], plats finances.fonds_plat[], vetements finances.fonds_vetement[],
  prestations finances.fonds_prestation[],
  taxes finances.fonds_taxe[], moyens finances.fonds_moyen[], clients finances.fonds_client[],
  disparus finances.fonds_disparu[]);
comment on type finances.fonds_de_caisse is 'De quoi vendre sans réseau, limité à l''activité de la caisse.';
comment on column finances.fonds_de_caisse.version is 'À donner dans « depuis », et dans le ticket de chaque opération.';
comment on column finances.fonds_de_caisse.complet is 'Vrai quand les listes sont entières : l''appareil oublie ce qu''il avait.';
comment on column finances.fonds_de_caisse.decimales is 'De la devise : la taxe s''y arrondit.';
comment on column finances.fonds_de_caisse.arrondi_facture is 'Vrai quand la taxe s''arrondit une fois par code.';
comment on column finances.fonds_de_caisse.code_taxe is 'Code de taxe de ce qui n''a pas le sien, null sans taxe.';
comment on column finances.fonds_de_caisse.assujetti is 'Faux quand l''organisation ne facture pas de taxe.';
comment on column finances.fonds_de_caisse.prix_ht is 'Vrai quand la taxe s''ajoute aux prix.';
comment on column finances.fonds_de_caisse.prix_kg is 'Prix du kilo de linge, null ailleurs qu''au pressing.';
call core.peut_etre_null('finances.fonds_de_caisse', 'code_taxe', 'prix_kg');
