create type audit.document_changement as (
  jour date, heure time, operation audit.operation, auteur text, cle text, requete text,
  differences audit.difference[]);
comment on type audit.document_changement is 'Un changement à imprimer.';
comment on column audit.document_changement.auteur is 'Login, null pour le système.';
comment on column audit.document_changement.cle is 'Clé d''API, null si l''auteur était connecté.';
comment on column audit.document_changement.requete is 'Identifiant de la requête, null hors de l''API.';
call core.peut_etre_null('audit.document_changement', 'auteur', 'cle', 'requete');

create type audit.document_histoire as (
  fichier text, organisation core.organisation, entite audit.entite, depuis_jour date, depuis_heure time,
  changements audit.document_changement[]);
comment on type audit.document_histoire is 'Tout ce qu''imprime l''histoire d''une ligne.';
comment on column audit.document_histoire.depuis_jour is 'Jour de la première entrée du journal, null s''il est vide.';
comment on column audit.document_histoire.changements is 'Les 500 premiers.';
call core.peut_etre_null('audit.document_histoire', 'depuis_jour', 'depuis_heure');

create function audit.histoire_document(p_entite text, p_id text, p_module text default null)
returns audit.document_histoire
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v audit.document_histoire;
begin
  v.entite := audit.entite_detail(p_entite, p_id, p_module);
  v.fichier := 'histoire-' || (v.entite).entite || '-' || p_id;
  v.organisation := core._organisation();
  v.depuis_jour := core.jour(((v.entite).portee).depuis);
  v.depuis_heure := (((v.entite).portee).depuis at time zone core.fuseau())::time(0);
  v.changements := array(
    select row(core.jour(c.date_heure), (c.date_heure at time zone core.fuseau())::time(0), c.operation, c.login, c.cle,
               c.requete, c.differences)::audit.document_changement
      from audit.histoire_lister((v.entite).entite, p_id, (v.entite).module, p_limit => 500) c
     order by c.date_heure, c.id_trace);
  return v;
end $$;
comment on function audit.histoire_document is
  'Histoire d''une ligne en PDF : ses 500 premiers changements, et ce que le journal n''en dit pas.';
-- The function reads the first page.
call core.ne_refuse_pas('audit.histoire_document', 'CURSEUR_INVALIDE');
