create type audit.preuve as (
  format text, enonce text, sel text, complement text, rang integer, chemin text[], racine text);
comment on type audit.preuve is 'Preuve qu''un document est dans l''arbre des sceaux, à vérifier hors ligne (deploiement/verificateur.py).';
comment on column audit.preuve.format is '« comptoir-preuve/1 ».';
comment on column audit.preuve.enonce is 'Ce qui est prouvé, tel que le sceau l''a pris : un objet JSON en texte. Le montant d''un loyer y est celui d''avant toute remise.';
comment on column audit.preuve.sel is 'Sel de l''énoncé. SHA-256(SHA-256(sel, énoncé), complément) est la donnée de la feuille.';
comment on column audit.preuve.complement is 'Empreinte du reste du document, qui ne se montre pas.';
comment on column audit.preuve.rang is 'Place de la feuille, à partir de 0.';
comment on column audit.preuve.chemin is 'Preuve d''inclusion (RFC 6962), de la feuille vers la racine.';
comment on column audit.preuve.racine is 'Racine signée la plus récente : arbre, taille, racine, instant, signature.';

create function audit.document_prouver(p_jeton text) returns audit.preuve
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_document constant audit.document_lu := audit._document(p_jeton);
  v_feuille constant audit.feuille := audit._feuille(v_document.registre, v_document.id);
  v_tete constant audit.tete_vue := audit._derniere_tete();
  v_entree audit.empreinte_vue;
  v_sel bytea;
begin
  if (v_feuille.place < v_tete.taille) is not true then
    perform core.refuser(409, 'PAS_ENCORE_SCELLE',
      'Ce document n''est pas encore scellé : revenez dans dix minutes. Le reçu d''une commande l''est avec sa facture.');
  end if;
  v_sel := (select f.sels[v_feuille.position] from audit.feuillage f where f.rang = v_feuille.rang);
  select e.* into v_entree from audit.empreinte_vue e where e.registre = v_document.registre and e.id = v_document.id;
  return row(
    'comptoir-preuve/1', v_entree.enonce, encode(audit._sel_derive(v_sel, '\x01'), 'hex'),
    encode(sha256(audit._sel_derive(v_sel, '\x02') || v_entree.empreinte), 'hex'), v_feuille.place,
    array(select encode(c.noeud, 'hex') from unnest(audit._chemin(v_feuille.place, v_tete.taille))
          with ordinality c (noeud, place) order by c.place),
    v_tete.texte)::audit.preuve;
end $$;
comment on function audit.document_prouver is
  'Preuve d''un document, à garder et à vérifier hors ligne. Elle ne montre que son énoncé, et rien de ses voisins.';
