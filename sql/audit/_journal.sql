-- The journal. One trigger on every table writes it, so no operation and no hand-written statement can omit it.

create function audit._cles_secretes() returns text[]
language sql immutable parallel safe
return array['mot_de_passe', 'jeton', 'token', 'refresh_token', 'hash', 'secret'];
comment on function audit._cles_secretes() is 'Noms des champs dont le journal tait la valeur.';

create function audit._masquer_secrets(p_ligne jsonb) returns jsonb
language sql immutable parallel safe
return (select jsonb_object_agg(c.key, case when c.key = any (audit._cles_secretes()) and c.value <> 'null'
                                            then '"***"' else c.value end)
          from jsonb_each(p_ligne) c);
comment on function audit._masquer_secrets(jsonb) is 'La même ligne, *** à la place de chaque secret qui n''est pas null.';

create function audit._masquer(p_ligne jsonb) returns jsonb
language sql immutable parallel safe
return case when p_ligne ?| audit._cles_secretes() then audit._masquer_secrets(p_ligne) else p_ligne end;
comment on function audit._masquer(jsonb) is 'Une ligne du journal, ses secrets remplacés par ***.';

-- Security definer: the trigger also records the changes of a DBA, or of a role that may not write the journal.
create function audit._t90_journal() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, apres, adresse_ip, requete)
    select core.utilisateur(), tg_table_schema, 'INSERT', tg_table_name,
           audit._cle(n.ligne, tg_argv[0], tg_argv[1], tg_argv[2]),
           audit._montant(n.ligne), audit._masquer(n.ligne), audit._adresse_ip(), audit._requete()
      from (select to_jsonb(n) as ligne from nouvelles n) n;
  elsif tg_op = 'UPDATE' then
    insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres, adresse_ip,
                               requete)
    select core.utilisateur(), tg_table_schema, 'UPDATE', tg_table_name, coalesce(n.cle, a.cle),
           audit._montant(n.ligne), audit._masquer(a.ligne), audit._masquer(n.ligne), audit._adresse_ip(),
           audit._requete()
      from (select to_jsonb(a) as ligne, audit._cle(to_jsonb(a), tg_argv[0], tg_argv[1], tg_argv[2]) as cle
              from anciennes a) a
      full join (select to_jsonb(n) as ligne, audit._cle(to_jsonb(n), tg_argv[0], tg_argv[1], tg_argv[2]) as cle
                   from nouvelles n) n on n.cle = a.cle
     where n.ligne is distinct from a.ligne;
  else
    insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, adresse_ip, requete)
    select core.utilisateur(), tg_table_schema, 'DELETE', tg_table_name,
           audit._cle(a.ligne, tg_argv[0], tg_argv[1], tg_argv[2]),
           audit._montant(a.ligne), audit._masquer(a.ligne), audit._adresse_ip(), audit._requete()
      from (select to_jsonb(a) as ligne from anciennes a) a;
  end if;
  return null;
end $$;
comment on function audit._t90_journal() is
  'Journalise chaque ligne écrite : auteur, avant et après, secrets masqués. Ses arguments sont les colonnes de la clé ; une ligne réécrite à l''identique n''y paraît pas.';

create function audit._cle(p_ligne jsonb, p_colonne_1 text, p_colonne_2 text, p_colonne_3 text) returns text
language sql immutable parallel safe
return concat_ws('-', p_ligne ->> p_colonne_1, p_ligne ->> p_colonne_2, p_ligne ->> p_colonne_3);
comment on function audit._cle(jsonb, text, text, text) is 'Clé d''une ligne ; ses colonnes, trois au plus, se joignent par un tiret.';

create function audit._montant(p_ligne jsonb) returns numeric
language sql immutable parallel safe
return coalesce(p_ligne ->> 'montant', p_ligne ->> 'montant_total')::numeric(14, 2);
comment on function audit._montant(jsonb) is 'Montant d''une ligne, null si elle n''en porte pas.';

create function audit._adresse_ip() returns inet
language sql stable parallel safe
return nullif(current_setting('comptoir.adresse_ip', true), '')::inet;
comment on function audit._adresse_ip() is 'Adresse du client de la requête, null hors de l''API.';

create function audit._requete() returns text
language sql stable parallel safe
return nullif(current_setting('comptoir.requete', true), '');
comment on function audit._requete() is 'Identifiant de la requête, null hors de l''API.';

-- TRUNCATE fires no row trigger, so the journal would not record it.
create function audit._t20_table_videe() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'TABLE_GARDEE', format('La table %I.%I est tenue au journal : elle ne se vide pas d''un coup.',
                                                   tg_table_schema, tg_table_name));
  return null;
end $$;
comment on function audit._t20_table_videe() is 'Refuse de vider une table dont le journal garde l''histoire, à la main aussi.';

-- The triggers cover every table except the journal, secrets, and tables that only count or remember requests.
do $$
declare
  v record;
begin
  for v in
    select c.oid::regclass as entite, string_agg(quote_literal(a.attname), ', ' order by k.rang) as cle
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, rang)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
     where c.relkind = 'r' and c.relowner = 'comptoir_owner'::regrole and n.nspname not in ('migration', 'queue', 'audit')
       and c.oid::regclass::text not in (
             'core.compteur', 'core.idempotence', 'core.empreinte', 'jobs.horloge', 'jobs.total', -- counters, requests, fingerprints
             'auth.jeton_rafraichissement', 'auth.jeton_reinitialisation',                  -- secrets
             'core.resume_etat', 'finances.resume_paiement', 'finances.resume_depense', 'finances.resume_application',
             'facturation.resume_facture',                                                  -- sums of what is journaled
             'auth.connexion', 'notification.lecture', 'jobs.sauvegarde', 'jobs.restauration')  -- already traces
     group by c.oid
  loop
    execute format('create trigger t20_table_videe before truncate on %s
                    for each statement execute function audit._t20_table_videe()', v.entite);
    execute format('create trigger t90_journal_insertion after insert on %s referencing new table as nouvelles
                    for each statement execute function audit._t90_journal(%s)', v.entite, v.cle);
    execute format('create trigger t90_journal_modification after update on %s referencing old table as anciennes
                    new table as nouvelles for each statement execute function audit._t90_journal(%s)', v.entite, v.cle);
    execute format('create trigger t90_journal_suppression after delete on %s referencing old table as anciennes
                    for each statement execute function audit._t90_journal(%s)', v.entite, v.cle);
  end loop;
end $$;
