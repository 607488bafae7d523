-- The journal. One trigger on every table writes it, so no operation and no hand-written statement can omit it.

create function audit._cles_secretes() returns text[]
language sql immutable parallel safe
return array['mot_de_passe', 'jeton', 'token', 'refresh_token', 'hash', 'secret'];
comment on function audit._cles_secretes is 'Noms des champs dont le journal tait la valeur.';

create function audit._masquer_secrets(p_ligne jsonb) returns jsonb
language sql immutable parallel safe
return (select jsonb_object_agg(c.key, case when c.key = any (audit._cles_secretes()) and c.value <> 'null'
                                            then '"***"' else c.value end)
          from jsonb_each(p_ligne) c);
comment on function audit._masquer_secrets is 'La même ligne, *** à la place de chaque secret qui n''est pas null.';

create function audit._masquer(p_ligne jsonb) returns jsonb
language sql immutable parallel safe
return case when p_ligne ?| audit._cles_secretes() then audit._masquer_secrets(p_ligne) else p_ligne end;
comment on function audit._masquer is 'Une ligne du journal, ses secrets remplacés par ***.';

-- Security definer, for a role that may not write the journal. Arguments: the column of the amount or '', 'secrets' if
-- the table has columns to mask or '', the columns of the key. « offset 0 » computes the JSON of a row once.
create function audit._t90_journal() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres, adresse_ip,
                             requete, cle)
  select core.utilisateur(), tg_table_schema, tg_op::audit.operation, tg_table_name,
         audit._cle(l.ligne, tg_argv[2], tg_argv[3], tg_argv[4]), (l.ligne ->> tg_argv[0])::numeric(14, 2),
         case tg_op when 'DELETE' then l.ligne end, case tg_op when 'INSERT' then l.ligne end,
         audit._adresse_ip(), audit._requete(), audit._cle_d_api()
    from (select case tg_argv[1] when 'secrets' then audit._masquer(to_jsonb(l)) else to_jsonb(l) end as ligne
            from lignes l offset 0) l;
  return null;
end $$;
comment on function audit._t90_journal is 'Journalise les lignes d''un INSERT ou d''un DELETE, secrets masqués.';

create function audit._t00_journal_modification() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_avant jsonb := to_jsonb(old);
  v_apres jsonb := to_jsonb(new);
begin
  if tg_argv[1] = 'secrets' then
    v_avant := audit._masquer(v_avant);
    v_apres := audit._masquer(v_apres);
  end if;
  insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres, adresse_ip,
                             requete, cle)
  values (core.utilisateur(), tg_table_schema, 'UPDATE', tg_table_name,
          audit._cle(v_apres, tg_argv[2], tg_argv[3], tg_argv[4]), (v_apres ->> tg_argv[0])::numeric(14, 2),
          v_avant, v_apres, audit._adresse_ip(), audit._requete(), audit._cle_d_api());
  return null;
end $$;
comment on function audit._t00_journal_modification is 'Journalise une ligne modifiée, secrets masqués.';

-- Operators instead of concat_ws, which PostgreSQL would not let it inline.
create function audit._cle(p_ligne jsonb, p_colonne_1 text, p_colonne_2 text, p_colonne_3 text) returns text
language sql immutable parallel safe
return (p_ligne ->> p_colonne_1) || coalesce('-' || (p_ligne ->> p_colonne_2), '')
    || coalesce('-' || (p_ligne ->> p_colonne_3), '');
comment on function audit._cle is 'Clé d''une ligne ; ses colonnes, trois au plus, se joignent par un tiret.';

create function audit._adresse_ip() returns inet
language sql stable parallel safe
return nullif(current_setting('comptoir.adresse_ip', true), '')::inet;
comment on function audit._adresse_ip is 'Adresse du client de la requête, null hors de l''API.';

create function audit._requete() returns text
language sql stable parallel safe
return nullif(current_setting('comptoir.requete', true), '');
comment on function audit._requete is 'Identifiant de la requête, null hors de l''API.';

create function audit._cle_d_api() returns text
language sql stable parallel safe
return nullif(current_setting('comptoir.cle', true), '');
comment on function audit._cle_d_api is 'Clé d''API de la requête, « libellé (préfixe) » ; null d''une personne.';

-- TRUNCATE fires no row trigger, so the journal would not record it.
create function audit._t20_table_gardee() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'TABLE_GARDEE',
                       format('La table %I.%I est tenue au journal : elle ne se vide pas d''un coup.',
                              tg_table_schema, tg_table_name));
  return null;
end $$;
comment on function audit._t20_table_gardee is 'Refuse de vider une table dont le journal garde l''histoire, à la main aussi.';

-- Insertions and deletions are journaled by statement, because some write many rows. An update is journaled by row: the
-- row before it need not be looked for. A settlement writes single rows, so the insertions into its tables are
-- journaled by row as well.
-- The entries of a row are in the order of its versions. No trigger writes the table on which it fires, not even
-- through other tables (tests/house/test_journal_order.py), so a statement ends, with its entries, before the next one
-- begins. The entry of an update is the first thing that follows it, by the name of its trigger: an update inside
-- another trigger of the row, such as one that a DBA adds, comes after it.
do $$
declare
  v record;
begin
  for v in
    select c.oid::regclass as entite, min(n.nspname) as module, min(c.relname) as nom, min(a.attname) as colonne,
           string_agg(quote_literal(a.attname), ', ' order by k.rang) as cle,
           coalesce((select min(m.attname) from pg_attribute m where m.attrelid = c.oid and not m.attisdropped
                        and m.attname in ('montant', 'montant_total')), '') as montant,
           case when exists (select from pg_attribute m where m.attrelid = c.oid and not m.attisdropped
                                and m.attname = any (audit._cles_secretes())) then 'secrets' else '' end as secrets
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, rang)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
     where c.relkind = 'r' and c.relowner = 'comptoir_owner'::regrole
       and (n.nspname not in ('migration', 'queue', 'audit')
            or c.oid in ('audit.archive'::regclass, 'audit.effacement'::regclass, 'audit.rectification'::regclass))
       and c.oid::regclass::text not in (
             'core.compteur', 'core.idempotence', 'core.empreinte',
             'jobs.horloge', 'jobs.total',                                 -- counters, requests, fingerprints
             'auth.jeton_rafraichissement', 'auth.jeton_reinitialisation', -- secrets
             'core.resume_etat', 'finances.resume_paiement', 'finances.resume_depense', 'finances.resume_application',
             'facturation.resume_facture', 'finances.resume_impaye',
             'finances.resume_moyen',                                      -- sums of what is journaled
             'auth.connexion', 'auth.cle_usage', 'auth.second_facteur_pas', 'notification.lecture',
             'evenement.evenement', 'evenement.webhook_suite', 'evenement.livraison', 'echange.ligne', 'tresorerie.ligne',
             'tresorerie.avis', 'tresorerie.demande_suite',
             'finances.operation_appareil', 'finances.version_fonds',
             'jobs.sauvegarde', 'jobs.restauration', 'compta.ecriture')    -- already traces
     group by c.oid
  loop
    execute format('create trigger t20_table_gardee before truncate on %s
                    for each statement execute function audit._t20_table_gardee()', v.entite);
    if v.entite = any (finances._tables_du_reglement()) then
      -- These triggers have no WHEN (finances/reglement), and the tables one key and no secret. Each table has
      -- functions of its own: a settlement pays less for names that are known at the load than for arguments, and for
      -- rows compared by their bytes (*<>). The arguments of the first trigger are for audit._table_tenue_vue.
      execute format($journal$
        create function audit._t90_journal_insertion_%2$s() returns trigger
        language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $corps$
        begin
          insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres,
                                     adresse_ip, requete, cle)
          values (core.utilisateur(), %1$L, 'INSERT', %2$L, new.%3$I, %4$s, null, to_jsonb(new), audit._adresse_ip(),
                  audit._requete(), audit._cle_d_api());
          return null;
        end $corps$;
        comment on function audit._t90_journal_insertion_%2$s is
          'Journalise une ligne écrite par un règlement : auteur et contenu.';
        create function audit._t00_journal_modification_%2$s() returns trigger
        language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $corps$
        begin
          if old *<> new then
            insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, montant, avant, apres,
                                       adresse_ip, requete, cle)
            values (core.utilisateur(), %1$L, 'UPDATE', %2$L, new.%3$I, %4$s, to_jsonb(old), to_jsonb(new),
                    audit._adresse_ip(), audit._requete(), audit._cle_d_api());
          end if;
          return null;
        end $corps$;
        comment on function audit._t00_journal_modification_%2$s is
          'Journalise une ligne modifiée : auteur, avant et après. Une ligne réécrite à l''identique n''y paraît pas.';
        create trigger t90_journal_insertion after insert on %6$s
        for each row execute function audit._t90_journal_insertion_%2$s(%5$L, '', %3$L);
        create trigger t00_journal_modification after update on %6$s
        for each row execute function audit._t00_journal_modification_%2$s() $journal$,
        v.module, v.nom, v.colonne, coalesce('new.' || nullif(v.montant, ''), 'null'), v.montant, v.entite);
    else
      execute format('create trigger t90_journal_insertion after insert on %s referencing new table as lignes
                      for each statement execute function audit._t90_journal(%L, %L, %s)',
                     v.entite, v.montant, v.secrets, v.cle);
      execute format('create trigger t00_journal_modification after update on %s
                      for each row when (old.* is distinct from new.*)
                      execute function audit._t00_journal_modification(%L, %L, %s)',
                     v.entite, v.montant, v.secrets, v.cle);
    end if;
    execute format('create trigger t90_journal_suppression after delete on %s referencing old table as lignes
                    for each statement execute function audit._t90_journal(%L, %L, %s)',
                   v.entite, v.montant, v.secrets, v.cle);
  end loop;
end $$;
