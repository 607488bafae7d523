create type facturation.controle as (
  authentique boolean, numero text, montant core.montant_signe, facture facturation.facture_vue,
  avoir facturation.avoir_vue);
comment on type facturation.controle is 'Ce que vaut le code QR d''un document.';
comment on column facturation.controle.authentique is 'Vrai si ce document a été imprimé ici ; sinon le reste est null.';
comment on column facturation.controle.facture is 'La facture de ce numéro, si l''utilisateur peut la voir.';
comment on column facturation.controle.avoir is 'L''avoir de ce numéro, si l''utilisateur peut le voir.';
comment on column facturation.controle.numero is 'Null d''un reçu, et d''une pièce que l''utilisateur ne peut pas voir.';
call core.peut_etre_null('facturation.controle', 'numero', 'montant', 'facture', 'avoir');

create function facturation.document_verifier(p_code text) returns facturation.controle
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_piece constant core.piece_lue := core._jeton_lire(regexp_replace(p_code, '^.*/', ''));
  v_parts text[] := string_to_array(p_code, '|');
  v facturation.controle;
begin
  if v_piece.piece is not null then
    v.authentique := true;
    v.facture := (select f from facturation.facture_vue f
                   where v_piece.piece = 'facture' and f.id_facture = v_piece.id);
    v.avoir := (select a from facturation.avoir_vue a where v_piece.piece = 'avoir' and a.id_avoir = v_piece.id);
    v.numero := coalesce((v.facture).numero, (v.avoir).numero);
    v.montant := coalesce((v.facture).montant_total, (v.avoir).montant_total);
    return v;
  end if;
  -- The code of a paper printed before documents had a token: number, amount and check value.
  v.authentique := cardinality(v_parts) = 3 and p_code = concat_ws('|', v_parts[1], v_parts[2],
                                                                  core._signer(v_parts[1] || '|' || v_parts[2]));
  if v.authentique then
    v.numero := v_parts[1];
    v.montant := v_parts[2]::numeric;
    v.facture := (select f from facturation.facture_vue f where f.numero = v.numero);
    v.avoir := (select a from facturation.avoir_vue a where a.numero = v.numero);
  end if;
  return v;
end $$;
comment on function facturation.document_verifier is
  'Dit si le code QR d''une facture, d''un avoir ou d''un reçu est authentique. Tout autre texte ne l''est pas.';
