create type echange.ligne_rapport as (ligne integer, cellules jsonb, issue echange.issue_ligne, erreurs jsonb);
comment on type echange.ligne_rapport is 'Une ligne de la feuille, et ce qui ne va pas.';
comment on column echange.ligne_rapport.ligne is 'Rang dans la feuille.';
comment on column echange.ligne_rapport.cellules is 'Ses cellules.';
comment on column echange.ligne_rapport.issue is 'Ce qu''il en est.';
comment on column echange.ligne_rapport.erreurs is 'Champs et messages.';

create type echange.rapport as (
  fichier text, entetes text[], colonnes core.donnees, lignes echange.ligne_rapport[]);
comment on type echange.rapport is 'Une page du rapport d''un import.';
comment on column echange.rapport.fichier is 'Nom du fichier envoyé.';
comment on column echange.rapport.entetes is 'Colonnes de la feuille.';
comment on column echange.rapport.colonnes is 'Champ reconnu de chaque colonne.';
comment on column echange.rapport.lignes is 'Lignes de la page.';

create function echange.import_rapport(p_id_import bigint, p_apres integer default 0) returns echange.rapport
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.rapport;
begin
  perform echange.import_detail(p_id_import);
  select i.fichier, i.entetes, i.colonnes,
         array(select row(l.ligne, l.cellules, l.issue, l.erreurs)::echange.ligne_rapport from echange.ligne l
                where l.id_import = p_id_import and l.ligne > p_apres order by l.ligne limit 5000)
    into strict v from echange.import i where i.id_import = p_id_import;
  return v;
end $$;
comment on function echange.import_rapport is
  'Rapport d''un import (.xlsx) : la même feuille, une colonne qui dit ce qui ne va pas, et la cellule en couleur. Corrigé, il s''envoie tel quel.';
