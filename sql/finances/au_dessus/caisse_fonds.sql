-- Volatile: after the wait, the function reads with a new snapshot. A version is an identifier of
-- finances.version_fonds up to which no change can appear any more, so a device that follows from version to version
-- misses none. When a writer does not end in time, the version stays: the device reads the same changes once more.
create function finances.caisse_fonds(p_id_caisse bigint, p_depuis bigint default 0) returns finances.fonds_de_caisse
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caisse constant finances.caisse_detail_vue := finances.caisse_detail(p_id_caisse);
  v_activite constant core.activite := (select a from core.activite a where a.id_activite = v_caisse.id_activite);
  v_version bigint := coalesce((select s.last_value from finances.version_fonds_id_version_seq s where s.is_called), 0);
  v_tout constant boolean := p_depuis not between 1 and v_version;
begin
  if not core._identifiants_attendre('{finances.version_fonds_id_version_seq}') then
    v_version := case when v_tout then 0 else p_depuis end;
  end if;
  return (
    with changes as materialized (
      select distinct v.genre, v.id_element from finances.version_fonds v where not v_tout and v.id_version > p_depuis),
    visibles as (
      select 'PRODUIT'::finances.genre_fonds as genre, p.id_produit as id from market.produit p
       where v_activite.code = 'VENTE_MARCHANDISES' and p.actif and (select auth._permise('MARCHANDISE.VOIR'))
      union all select 'PLAT', p.id_plat from restaurant.plat p
       where v_activite.code = 'RESTAURATION' and p.disponible and (select auth._permise('RESTAURANT.VOIR'))
      union all select 'VETEMENT', t.id_type_vetement from pressing.type_vetement t
       where v_activite.code = 'PRESSING' and t.actif and (select auth._permise('PRESSING.VOIR'))
      union all select 'PRESTATION', p.id_prestation from pressing.prestation p
       where v_activite.code = 'PRESSING' and p.actif and (select auth._permise('PRESSING.VOIR'))
      union all select 'TAXE', t.id_taxe from core.taxe t
      union all select 'MOYEN', m.id_moyen from finances.moyen_paiement m where m.actif
      union all select 'CLIENT', c.id_client from client.client_vue c
       where c.nom <> '[effacé]' and (select auth._permise('CLIENT.VOIR'))),
    plus_tard as materialized (
      select v.genre, v.id_element from finances.version_fonds v where v.id_version > v_version),
    vus as materialized (
      select v.genre, v.id from visibles v
       where v_tout or (v.genre, v.id) in (select c.genre, c.id_element from changes c))
    select row(
      v_version, v_tout,
      core.parametre('NOM_ORGANISATION'), core.parametre('DEVISE_DEFAUT'), core.decimales(),
      core.parametre('TAXES_ARRONDI') = 'FACTURE',
      v_activite.code_taxe, core._assujetti(core.aujourdhui()), core.parametre('TAXES_PRIX') = 'HT',
      case when v_activite.code = 'PRESSING' and auth._permise('PRESSING.VOIR') then
        (select t.prix_kg from pressing.tarif_kg t order by t.id_tarif_kg desc limit 1) end,
      array(select row(p.id_produit, p.reference, p.nom,
                       case when (v.genre, v.id) in (select t.genre, t.id_element from plus_tard t)
                            then finances._prix_de_version('PRODUIT', v.id, v_version, p.prix_vente)
                            else p.prix_vente end,
                       p.code_barre, p.code_taxe)::finances.fonds_produit
              from vus v join market.produit p on p.id_produit = v.id where v.genre = 'PRODUIT' order by v.id),
      array(select row(p.id_plat, p.nom,
                       case when (v.genre, v.id) in (select t.genre, t.id_element from plus_tard t)
                            then finances._prix_de_version('PLAT', v.id, v_version, p.prix) else p.prix end,
                       p.code_taxe)::finances.fonds_plat
              from vus v join restaurant.plat p on p.id_plat = v.id where v.genre = 'PLAT' order by v.id),
      array(select row(t.id_type_vetement, t.libelle)::finances.fonds_vetement
              from vus v join pressing.type_vetement t on t.id_type_vetement = v.id
             where v.genre = 'VETEMENT' order by v.id),
      array(select row(p.id_prestation, p.libelle, p.code_taxe)::finances.fonds_prestation
              from vus v join pressing.prestation p on p.id_prestation = v.id
             where v.genre = 'PRESTATION' order by v.id),
      array(select row(t.id_taxe, t.code, t.taux, t.du, t.au)::finances.fonds_taxe
              from vus v join core.taxe t on t.id_taxe = v.id where v.genre = 'TAXE' order by v.id),
      array(select row(m.id_moyen, m.libelle, m.credit)::finances.fonds_moyen
              from vus v join finances.moyen_paiement m on m.id_moyen = v.id where v.genre = 'MOYEN' order by v.id),
      array(select row(c.id_client, c.code, c.nom, c.prenoms, c.tel_principal)::finances.fonds_client
              from vus v join client.client c on c.id_client = v.id where v.genre = 'CLIENT' order by v.id),
      array(select row(c.genre, c.id_element)::finances.fonds_disparu from changes c
             where c.genre <> 'TARIF_KG' and (c.genre, c.id_element) not in (select v.genre, v.id from vus v)
             order by c.genre, c.id_element))::finances.fonds_de_caisse);
end $$;
comment on function finances.caisse_fonds is
  'De quoi vendre sans réseau dans cette caisse, avec sa version. « depuis » ne donne que ce qui a changé depuis cette version.';
