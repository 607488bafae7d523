create type audit.document_verifie as (
  organisation text, devise text, type core.piece, numero text, jour date, montant core.montant,
  etat audit.etat_document, montant_retire core.montant, scelle_le timestamptz, sceau bigint, racine text,
  racine_date timestamptz, paiement_scelle_le timestamptz);
comment on type audit.document_verifie is 'Un document vérifié : ce que son papier montre, ce qu''il vaut maintenant, et le sceau qui le couvre.';
comment on column audit.document_verifie.organisation is 'Qui a établi le document.';
comment on column audit.document_verifie.jour is 'Jour que porte le papier ; null du reçu d''une échéance qui n''a jamais été payée en entier.';
comment on column audit.document_verifie.montant_retire is 'Ce que des avoirs ou des remboursements en retirent ; le montant reste celui du papier.';
comment on column audit.document_verifie.scelle_le is 'Instant du sceau qui couvre le document, null pendant les dix minutes qui le précèdent au plus.';
comment on column audit.document_verifie.sceau is 'Rang de ce sceau.';
comment on column audit.document_verifie.racine is 'Racine signée la plus récente de l''arbre des sceaux, en hexadécimal.';
comment on column audit.document_verifie.racine_date is 'Instant de sa signature.';
comment on column audit.document_verifie.paiement_scelle_le is 'D''une quittance ou d''un reçu de commande, que leur facture prouve : instant du sceau qui couvre leur dernier paiement.';
call core.peut_etre_null('audit.document_verifie', 'organisation', 'jour', 'scelle_le', 'sceau', 'racine',
  'racine_date', 'paiement_scelle_le');

create function audit.document_verifier(p_jeton text) returns audit.document_verifie
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_document constant audit.document_lu := audit._document(p_jeton);
  v_feuille constant audit.feuille := audit._feuille(v_document.registre, v_document.id);
  v_tete constant audit.tete_vue := audit._derniere_tete();
  v audit.document_verifie;
begin
  v := row(core.parametre('NOM_ORGANISATION'), core.parametre('DEVISE_DEFAUT'), v_document.type, v_document.numero,
           v_document.jour, v_document.montant, v_document.etat, v_document.montant_retire, null, null, null, null,
           null);
  if v_feuille.place < v_tete.taille then
    v.sceau := v_feuille.rang;
    v.scelle_le := (select s.date from audit.sceau s where s.rang = v_feuille.rang);
    v.racine := encode(v_tete.racine, 'hex');
    v.racine_date := v_tete.date;
    if v_document.type in ('echeance', 'commande') then
      v.paiement_scelle_le := (
        select s.date
          from (select a.id_paiement from finances.imputation_vue a
                 where a.id_facture = v_document.id order by a.id_paiement desc limit 1) d
         cross join lateral audit._feuille('paiement', d.id_paiement) f
          join audit.sceau s on s.rang = f.rang
         where f.place < v_tete.taille);
    end if;
    if not audit._tient(v_document, v_feuille, v_tete) then
      v.etat := 'ALTERE';
    end if;
  end if;
  return v;
end $$;
comment on function audit.document_verifier is
  'Vérifie un document par le jeton de son code QR, sans compte : ce que le papier doit montrer, ce qu''il vaut maintenant, et sous quelle racine il est scellé. Rien d''autre n''en est dit. Un document scellé est comparé à cette racine.';
