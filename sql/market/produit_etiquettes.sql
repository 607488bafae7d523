create domain market.liste_produits as text
  constraint liste_produits_mal_formee check (value ~ '^\s*[0-9]{1,18}(\s*,\s*[0-9]{1,18})*\s*$');
comment on domain market.liste_produits is 'Identifiants de produits, séparés par des virgules ; un produit répété a autant d''étiquettes.';
comment on constraint liste_produits_mal_formee on domain market.liste_produits is 'Donnez des identifiants de produits séparés par des virgules (exemple : 12,15,15).';

create function market.produit_etiquettes(p_ids market.liste_produits default null) returns market.document_etiquettes
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_maximum constant integer := 480; -- twenty sheets
  v_ids bigint[];
begin
  perform market._activite();
  v_ids := case when p_ids is not null then string_to_array(regexp_replace(p_ids, '\s', '', 'g'), ',')::bigint[]
                else array(select p.id_produit from market.produit_vue p
                            where p.actif and p.code_barre is not null order by p.nom, p.id_produit) end;
  if cardinality(v_ids) > v_maximum then
    perform core.refuser(400, 'ETIQUETTES_TROP_NOMBREUSES',
      format('Une planche compte %s étiquettes au plus, et non %s : donnez les produits en plusieurs fois.',
             v_maximum, cardinality(v_ids)));
  end if;
  return row('etiquettes-' || core.aujourdhui(), core.parametre('DEVISE_DEFAUT'), array(
    select market._etiquette(i.id_produit)
      from unnest(v_ids) with ordinality as i (id_produit, rang) order by i.rang))::market.document_etiquettes;
end $$;
comment on function market.produit_etiquettes is
  'Planche d''étiquettes, en PDF : A4, 24 par page (70 × 37 mm), dans l''ordre demandé ; sans « ids », tous les produits actifs qui ont un code-barres.';
