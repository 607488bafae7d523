-- A trial runs the real operations and undoes them: what it says of a row is what the import does with it. A lot holds
-- the locks of its operations, such as the counters of the codes, until its end. It gives way to a transaction that
-- waits for them, and the next lot goes on from its last row.

create type echange.resultat as (
  ligne integer, issue echange.issue_ligne, id_entite bigint, repere text, champ text, message text);
comment on type echange.resultat is 'Ce qu''une ligne est devenue.';

create function echange._operation(p_entite echange.entite, p_donnees jsonb) returns echange.issue
language plpgsql volatile as $$
begin
  return case p_entite
    when 'clients' then echange._clients(jsonb_populate_record(null::echange.clients, p_donnees))
    when 'produits' then echange._produits(jsonb_populate_record(null::echange.produits, p_donnees))
    when 'stock' then echange._stock(jsonb_populate_record(null::echange.stock, p_donnees))
    when 'fournisseurs' then echange._fournisseurs(jsonb_populate_record(null::echange.fournisseurs, p_donnees))
    when 'batiments' then echange._batiments(jsonb_populate_record(null::echange.batiments, p_donnees))
    when 'logements' then echange._logements(jsonb_populate_record(null::echange.logements, p_donnees))
    when 'contrats' then echange._contrats(jsonb_populate_record(null::echange.contrats, p_donnees))
    when 'employes' then echange._employes(jsonb_populate_record(null::echange.employes, p_donnees))
    when 'plats' then echange._plats(jsonb_populate_record(null::echange.plats, p_donnees))
    when 'prestations' then echange._prestations(jsonb_populate_record(null::echange.prestations, p_donnees))
    when 'factures' then echange._factures(jsonb_populate_record(null::echange.factures, p_donnees))
  end;
end $$;
comment on function echange._operation is 'Fait une ligne par la vraie opération de son entité.';

create function echange._refus(
  p_ligne integer, p_donnees jsonb, p_etat text, p_regle text, p_message text, p_colonne text, p_detail text)
returns echange.resultat
language plpgsql stable as $$
declare
  v echange.resultat;
begin
  v.ligne := p_ligne;
  v.issue := 'REFUSEE';
  if p_etat like 'HT%' then
    v.message := p_message;
    v.champ := case when p_detail like '{%' then p_detail::jsonb ->> 'champ' end;
  elsif p_etat = '23502' then
    v.message := 'Ce champ est obligatoire.';
    v.champ := p_colonne;
  elsif p_etat = 'P0002' then
    v.message := 'Ce que cette ligne désigne n''existe pas, ou votre compte ne le voit pas.';
  elsif p_etat like '23%' then
    select coalesce(obj_description(k.oid, 'pg_constraint'), p_message), a.attname into v.message, v.champ
      from pg_catalog.pg_constraint k
      left join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and k.conrelid <> 0 and a.attnum = k.conkey[1]
     where k.conname = p_regle limit 1;
    v.message := coalesce(v.message, (select obj_description(c.oid, 'pg_class') from pg_catalog.pg_class c
                                       where c.relname = p_regle and c.relkind = 'i' limit 1),
                          'Une valeur n''est pas permise, ou existe déjà.');
  else
    v.message := 'Une valeur n''a pas la forme ou la taille attendue.';
  end if;
  if not p_donnees ? v.champ then
    v.champ := (select c.champ from unnest(array[v.champ, substr(v.champ, 4)]) c (champ)
                 where p_donnees ? c.champ limit 1);
  end if;
  return v;
end $$;
comment on function echange._refus is 'Un refus de la base, en une phrase et avec son champ s''il se connaît.';

create function echange._taille_de_lot() returns integer
language sql immutable parallel safe
return 1000;
comment on function echange._taille_de_lot is 'Lignes d''un import qu''une transaction passe au plus.';

create function echange._patience() returns interval
language sql immutable parallel safe
return interval '0.2 s';
comment on function echange._patience is 'Temps d''un lot avant qu''il cède à une transaction qui l''attend.';

create function echange._est_attendu() returns boolean
language sql stable
return exists (select from pg_locks w where not w.granted and pg_backend_pid() = any (pg_blocking_pids(w.pid)));
comment on function echange._est_attendu is 'Vrai si une autre transaction attend celle-ci.';

-- The deferred rules of a row must refuse that row and not the lot. They run inside its savepoint.
create function echange._lot(p_import echange.import, p_issue echange.issue_ligne, p_entier boolean default false)
returns echange.resultat[]
language plpgsql volatile as $$
declare
  v_ligne record;
  v_issue echange.issue;
  v_resultats echange.resultat[] := array[]::echange.resultat[];
  v_etat text;
  v_regle text;
  v_message text;
  v_colonne text;
  v_detail text;
  v_memes constant bigint[] := array( -- imports of the same file: their lines are done
    select i.id_import from echange.import i
     where i.empreinte = (p_import).empreinte and i.entite = (p_import).entite and i.etat = 'FAIT'
       and i.id_import <> (p_import).id_import);
  v_palier timestamptz := clock_timestamp() + echange._patience();
begin
  for v_ligne in
    select l.ligne, l.donnees, (
             select m.id_entite from echange.ligne m
              where m.id_import = any (v_memes) and m.ligne = l.ligne and m.issue in ('FAITE', 'DEJA')
              limit 1) as id_deja
      from echange.ligne l
     where l.id_import = (p_import).id_import and l.issue = p_issue order by l.ligne
     limit case when not p_entier then echange._taille_de_lot() end
  loop
    if v_ligne.id_deja is not null then
      v_resultats := v_resultats || row(v_ligne.ligne, 'DEJA', v_ligne.id_deja, null, null, null)::echange.resultat;
      continue;
    end if;
    begin
      v_issue := echange._operation((p_import).entite, v_ligne.donnees);
      set constraints all immediate;
      set constraints all deferred;
      v_resultats := v_resultats || row(v_ligne.ligne, case when v_issue.deja then 'DEJA' else 'FAITE' end,
                                        v_issue.id_entite, v_issue.repere, null, null)::echange.resultat;
    exception when sqlstate 'HT000' or integrity_constraint_violation or data_exception or no_data_found then
      get stacked diagnostics v_etat = returned_sqlstate, v_regle = constraint_name, v_message = message_text,
                              v_colonne = column_name, v_detail = pg_exception_detail;
      v_resultats := v_resultats || echange._refus(v_ligne.ligne, v_ligne.donnees, v_etat, v_regle, v_message,
                                                   v_colonne, v_detail);
    end;
    -- Looking at all locks costs as much as a row.
    if not p_entier and clock_timestamp() >= v_palier then
      exit when echange._est_attendu();
      v_palier := clock_timestamp() + echange._patience() / 4;
    end if;
  end loop;
  return v_resultats;
end $$;
comment on function echange._lot is
  'Fait les prochaines lignes d''un import, chacune sous son point de reprise ; une ligne refusée n''en défait pas d''autre. Cède à une transaction qui attend, sauf d''un import entier.';
-- The function catches the refusals of a row.
call core.ne_refuse_pas('echange._lot', '*');

create function echange._noter(p_id_import bigint, p_resultats echange.resultat[], p_essai boolean) returns void
language sql volatile
begin atomic
  update echange.ligne l
     set (issue, id_entite, repere, erreurs) = row(
           case when p_essai and r.issue = 'FAITE' then 'ACCEPTEE' else r.issue end,
           case when not p_essai then r.id_entite end, coalesce(r.repere, l.repere),
           case when r.message is null then l.erreurs
                else jsonb_build_array(jsonb_build_object('champ', r.champ, 'message', r.message)) end)
    from unnest(p_resultats) r
   where l.id_import = p_id_import and l.ligne = r.ligne;
end;
comment on function echange._noter is 'Note ce que des lignes sont devenues ; d''un essai, rien n''a d''identifiant.';

-- A lot of a trial is undone by an error of its own: the variables keep what it said.
create function echange._essayer(p_import echange.import) returns void
language plpgsql volatile as $$
declare
  v_resultats echange.resultat[];
begin
  begin
    v_resultats := echange._lot(p_import, 'A_ESSAYER');
    raise exception using errcode = 'EC001', message = 'essai';
  exception when sqlstate 'EC001' then
    null;
  end;
  perform echange._noter((p_import).id_import, v_resultats, true);
  -- A row of an earlier lot, which is undone, is not there to be found. A count is looked up in the index for each row;
  -- a semi-join would compare each row with all others, because the statistics of the table are older than the rows.
  update echange.ligne l set issue = 'DEJA'
    from unnest(v_resultats) r
   where l.id_import = (p_import).id_import and l.ligne = r.ligne and l.issue = 'ACCEPTEE'
     and (select count(*) from echange.ligne x
           where x.id_import = l.id_import and x.issue = 'ACCEPTEE' and x.repere = r.repere and x.ligne < l.ligne) > 0;
  perform echange._compter((p_import).id_import);
  update echange.import i
     set (fait, etat) = row(i.fait + cardinality(v_resultats),
                            case when exists (select from echange.ligne l
                                               where l.id_import = i.id_import and l.issue = 'A_ESSAYER')
                                 then i.etat else 'ESSAYE' end)
   where i.id_import = (p_import).id_import;
end $$;
comment on function echange._essayer is 'Essaie les prochaines lignes d''un import, puis les défait.';

create function echange._annoncer(p_id_import bigint) returns void
language plpgsql volatile as $$
declare
  v echange.import;
begin
  select * into strict v from echange.import i where i.id_import = p_id_import;
  if v.id_utilisateur is null then
    return; -- made in psql: a notification without an addressee would be for everyone
  end if;
  perform notification._emettre(
    'import.avance',
    case v.etat when 'ECHEC' then 'HIGH' else 'LOW' end::notification.priorite,
    case v.etat when 'FAIT' then 'Import fini' when 'ECHEC' then 'Import arrêté'
                when 'ESSAYE' then 'Essai d''un import fini' else 'Import en cours' end,
    format('« %s », lignes passées : %s sur %s.%s', v.fichier, v.fait, v.total, coalesce(' ' || v.message, '')),
    jsonb_build_object('id_import', v.id_import::text, 'etat', v.etat, 'fait', v.fait::text, 'total', v.total::text),
    null, null, null, v.id_utilisateur);
end $$;
comment on function echange._annoncer is 'Dit à qui l''a envoyé où en est un long import.';

create function echange._importer(p_import echange.import) returns void
language plpgsql volatile as $$
declare
  v_resultats echange.resultat[];
  v_fini boolean;
begin
  v_resultats := echange._lot(p_import, 'ACCEPTEE', (p_import).tout);
  if (p_import).tout and exists (select from unnest(v_resultats) r where r.issue = 'REFUSEE') then
    perform core.refuser(409, 'IMPORT_REFUSE', 'Des lignes sont refusées : rien n''est importé.', jsonb_build_object(
      'erreurs', (select jsonb_agg(jsonb_build_object('ligne', r.ligne, 'champ', r.champ, 'message', r.message)
                                   order by r.ligne)
                    from unnest(v_resultats) r where r.issue = 'REFUSEE')));
  end if;
  perform echange._noter((p_import).id_import, v_resultats, false);
  perform echange._compter((p_import).id_import);
  v_fini := not exists (select from echange.ligne l where l.id_import = (p_import).id_import and l.issue = 'ACCEPTEE');
  update echange.import i
     set (fait, etat, date_fin) = row(i.fait + cardinality(v_resultats), case when v_fini then 'FAIT' else i.etat end,
                                      case when v_fini then now() end)
   where i.id_import = (p_import).id_import;
end $$;
comment on function echange._importer is
  'Importe les prochaines lignes acceptées, ou toutes d''un import entier. Le point de reprise est dans la même transaction. Refuse IMPORT_REFUSE.';
