create type market.etiquette as (nom text, reference text, prix_vente core.montant, code_barre text);
comment on type market.etiquette is 'Ce qu''imprime une étiquette.';

create type market.document_etiquettes as (fichier text, devise text, etiquettes market.etiquette[]);
comment on type market.document_etiquettes is 'Une étiquette, ou une planche, dans l''ordre demandé.';

create function market._etiquette(p_id_produit bigint) returns market.etiquette
language plpgsql stable as $$
declare
  v market.produit_vue := market.produit_detail(p_id_produit);
begin
  if v.code_barre is null then
    perform core.refuser(404, 'CODE_BARRE_ABSENT',
      format('« %s » n''a pas de code-barres, donc pas d''étiquette : donnez-lui un code d''abord.', v.nom),
      jsonb_build_object('id_produit', p_id_produit::text));
  end if;
  return row(v.nom, v.reference, v.prix_vente, v.code_barre)::market.etiquette;
end $$;
comment on function market._etiquette is 'L''étiquette d''un produit. Refuse NOT_FOUND, CODE_BARRE_ABSENT.';
