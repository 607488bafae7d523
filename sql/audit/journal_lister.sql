create view audit.trace_vue as
select j.id_trace, j.date_heure, j.id_utilisateur, j.module, j.operation, j.entite, j.entite_id,
       case j.operation when 'INSERT' then 'Création' when 'UPDATE' then 'Modification' else 'Suppression' end
         || ' : ' || coalesce(case when j.entite = 'role_permission' then audit._droit(j.entite_id) end,
                              (select m.mots from core.en_mots('LIGNE', j.module || '.' || j.entite) m)
                                || coalesce(' n° ' || j.entite_id, '')) as description,
       j.montant, audit._montrer(j.avant) as avant, audit._montrer(j.apres) as apres, host(j.adresse_ip) as adresse_ip,
       (select u.login from auth.utilisateur u where u.id_utilisateur = j.id_utilisateur) as login, j.cle
  from audit._trace_visible_vue j;
comment on view audit.trace_vue is
  'Journal des écritures, tel qu''il se montre ; qui est limité à une activité ou à une caisse y voit ce qu''ont écrit les comptes limités de même, et rien d''une autre.';
comment on column audit.trace_vue.id_utilisateur is 'Null pour le système.';
comment on column audit.trace_vue.description is 'L''écriture en mots : « Création : État des lieux n° 2 ».';
comment on column audit.trace_vue.login is 'Login de l''auteur, null pour le système.';
comment on column audit.trace_vue.cle is 'Clé d''API de l''auteur, « libellé (préfixe) » ; null s''il était connecté.';
comment on column audit.trace_vue.avant is 'La ligne avant l''écriture, en texte JSON, ses secrets masqués.';
comment on column audit.trace_vue.apres is 'La ligne après l''écriture, en texte JSON, ses secrets masqués.';
call core.peut_etre_null('audit.trace_vue', 'id_utilisateur', 'entite_id', 'description', 'montant', 'avant', 'apres',
  'adresse_ip', 'login', 'cle');

-- PostgreSQL ignores the index « filtres » of an open month when the entries of an author are spread over the month.
create function audit.journal_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_utilisateur text default null, p_module text default null, p_du date default null, p_au date default null,
  p_entite text default null, p_entite_id text default null, p_operation audit.operation default null,
  p_adresse_ip text default null)
returns setof audit.trace_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  -- No user has the identifier 0: an unknown login then matches no row.
  v_utilisateur constant bigint := case
    when p_utilisateur ~ '^\d{1,18}$' then p_utilisateur::bigint
    when p_utilisateur is not null and p_utilisateur <> 'system' then
      coalesce((select u.id_utilisateur from auth.utilisateur u where lower(u.login) = lower(p_utilisateur)), 0) end;
  -- The search text is matched against the names of tables and users, which are few, and not against the journal.
  v_entites constant text[] := array(
    select c.relname::text from pg_class c
     where p_recherche is not null and c.relkind = 'r' and c.relowner = 'comptoir_owner'::regrole
       and core._contient(c.relname, p_recherche));
  v_auteurs constant bigint[] := array(
    select u.id_utilisateur from auth.utilisateur u
     where p_recherche is not null
       and core._contient(u.login || ' ' || coalesce(u.nom, '') || ' ' || coalesce(u.prenom, ''), p_recherche));
begin
  return query execute core._liste('audit.trace_vue', $filtre$
        ($1 is null or v.entite = any ($2) or v.id_utilisateur = any ($3))
    and ($4 is null or v.id_utilisateur = $4)
    and ($5 is distinct from 'system' or v.id_utilisateur is null)
    and ($6 is null or v.module = lower($6))
    and ($7 is null or v.date_heure >= core.debut_du_jour($7))
    and ($8 is null or v.date_heure < core.debut_du_jour($8 + 1))
    and ($9 is null or v.entite = $9)
    and ($10 is null or v.entite_id = $10)
    and ($11 is null or v.operation = $11)
    and ($12 is null or v.adresse_ip = $12)
  $filtre$, 'v.date_heure desc, v.id_trace desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, v_entites, v_auteurs, v_utilisateur, p_utilisateur, p_module, p_du, p_au, p_entite, p_entite_id,
        p_operation, host(p_adresse_ip::inet);
end $$;
comment on function audit.journal_lister is
  'Liste le journal, du plus récent au plus ancien. « utilisateur » est un identifiant, un login ou « system » ; la recherche porte sur l''entité et l''auteur.';
