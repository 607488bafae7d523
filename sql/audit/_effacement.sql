-- Erased clients: which texts of the journal name a person, and the only change that a frozen entry still accepts.
-- An erased entry keeps its place, its hash in its seal, and every number and date. It loses its texts about the
-- person, and its salt, so that the hash tells nothing of them. audit.effacement has a fingerprint of what is left.

create function audit._champs_d_un_client() returns text[]
language sql immutable parallel safe
return array['nom', 'prenoms', 'tel_principal', 'tel_secondaire', 'email', 'date_naissance', 'lieu_naissance', 'sexe',
  'nationalite', 'profession', 'photo', 'adresse', 'ville', 'pays', 'numero_contribuable'];
comment on function audit._champs_d_un_client is 'Champs de la fiche d''un client qui disent qui il est.';

-- The columns of a table that say who a person is, and the free texts that may. Labels of invoices and their lines, and
-- reasons of credit notes, are not here: they are sealed with the document (docs/decisions/0072-effacer.md).
create function audit._champs_personnels(p_module text, p_entite text) returns text[]
language sql immutable parallel safe
return case p_module || '.' || p_entite
  when 'abonnement.mouvement' then array['motif']
  when 'abonnement.souscription' then array['motif_statut', 'note']
  when 'auth.cle' then array['libelle']
  when 'auth.utilisateur' then array['login', 'nom', 'prenom', 'email']
  when 'client.client' then audit._champs_d_un_client()
  when 'client.contact_urgence' then array['nom', 'prenom', 'lien', 'tel_principal', 'tel_secondaire', 'adresse',
    'email']
  when 'client.piece_identite' then array['numero', 'autorite_delivrance', 'copie_num', 'copie_num_verso']
  when 'facturation.facture' then array['motif_annulation']
  when 'finances.exception_caisse' then audit._champs_d_un_client() || array['motif', 'note', 'notes',
    'adresse_livraison', 'reponse', 'client_nom', 'client_prenoms']
  when 'finances.paiement' then array['motif']
  when 'market.vente' then array['note', 'motif_annulation']
  when 'notification.notification' then array['corps', 'login', 'adresse', 'appareil']
  when 'pressing.commande' then array['notes', 'motif_annulation']
  when 'residence.caution' then array['motif_retenue']
  when 'residence.caution_evenement' then array['motif']
  when 'residence.contrat_location' then array['motif_resiliation']
  when 'residence.etat_des_lieux' then array['cle_objet', 'piece', 'commentaire']
  when 'residence.revision_loyer' then array['motif']
  when 'residence.sejour_court' then array['observations', 'motif_annulation']
  when 'restaurant.commande' then array['adresse_livraison', 'notes', 'motif_annulation']
  when 'salle_fete.reservation' then array['observations', 'motif_annulation']
  when 'signalement.photo' then array['cle_objet']
  when 'signalement.signalement' then array['titre', 'description', 'lieu', 'note_resolution']
end;
comment on function audit._champs_personnels is
  'Champs d''une table qui disent qui est une personne, ou qui peuvent le dire ; null d''une table qui n''en a pas.';

-- The journal gets the same values as the rows, so that a row read from the journal is still valid in its table.
create function audit._champ_efface(p_champ text) returns jsonb
language sql immutable parallel safe
return case when p_champ = any (array['nom', 'prenoms', 'lien', 'numero', 'titre', 'description', 'corps', 'client_nom',
                                      'client_prenoms', 'nom_client']) then '"[effacé]"'
            when p_champ = 'tel_principal' then '"00000"' else 'null' end::jsonb;
comment on function audit._champ_efface is 'Ce que devient un texte d''un champ : null où la table le permet.';

create function audit._effacer_champs(p_valeur jsonb, p_champs text[]) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  case jsonb_typeof(p_valeur)
  when 'object' then
    return (select coalesce(jsonb_object_agg(c.key, case
              when c.key = any (p_champs) and jsonb_typeof(c.value) = 'string' then audit._champ_efface(c.key)
              else audit._effacer_champs(c.value, p_champs) end), '{}')
              from jsonb_each(p_valeur) c);
  when 'array' then
    return (select coalesce(jsonb_agg(audit._effacer_champs(e.value, p_champs) order by e.place), '[]')
              from jsonb_array_elements(p_valeur) with ordinality e (value, place));
  else
    return p_valeur;
  end case;
end $$;
comment on function audit._effacer_champs is 'La même valeur, sans les textes de ces champs, à toute profondeur.';

-- Amounts and identifiers of the journal are numbers, so this never lets one go.
create function audit._efface_seulement(p_avant jsonb, p_apres jsonb) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if p_avant is not distinct from p_apres then
    return true;
  end if;
  case coalesce(jsonb_typeof(p_avant), '')
  when 'string' then
    return coalesce(p_apres in ('null', '"[effacé]"', '"00000"'), false);
  when 'object' then
    return coalesce(jsonb_typeof(p_apres) = 'object', false) and not exists (
      select from jsonb_each(p_avant) a (cle, valeur)
        full join jsonb_each(p_apres) b (cle, valeur) on b.cle = a.cle
       where not audit._efface_seulement(a.valeur, b.valeur));
  when 'array' then
    return coalesce(jsonb_typeof(p_apres) = 'array', false) and not exists (
      select from jsonb_array_elements(p_avant) with ordinality a (valeur, place)
        full join jsonb_array_elements(p_apres) with ordinality b (valeur, place) on b.place = a.place
       where not audit._efface_seulement(a.valeur, b.valeur));
  else
    return false;
  end case;
end $$;
comment on function audit._efface_seulement is 'Vrai si la seconde valeur est la première, des textes effacés.';

create function audit._t20_journal_efface() returns trigger
language plpgsql volatile as $$
begin
  if to_jsonb(new) - array['avant', 'apres', 'adresse_ip'] <> to_jsonb(old) - array['avant', 'apres', 'adresse_ip']
     or coalesce(new.adresse_ip <> coalesce(old.adresse_ip, '::'), false)
     or not audit._efface_seulement(old.avant, new.avant) or not audit._efface_seulement(old.apres, new.apres)
     or not exists (select from audit.effacement e where e.ids @> old.id_trace) then
    perform audit._registre_fige();
  end if;
  return new;
end $$;
comment on function audit._t20_journal_efface is
  'Refuse de réécrire une entrée du journal, à la main aussi, sauf pour retirer des textes de celles que nomme audit.effacement.';

create function audit._t20_sel_efface() returns trigger
language plpgsql volatile as $$
begin
  if to_jsonb(new) - 'sels' <> to_jsonb(old) - 'sels' or cardinality(new.sels) <> cardinality(old.sels) or exists (
       select from audit.sceau s
        cross join lateral unnest(s.ids, old.sels, new.sels) x (id, ancien, nouveau)
        where s.rang = old.rang and x.nouveau is distinct from x.ancien
          and (x.nouveau is not null or s.registre <> 'journal'
               or not exists (select from audit.effacement e where e.ids @> x.id))) then
    perform audit._registre_fige();
  end if;
  return new;
end $$;
comment on function audit._t20_sel_efface is 'Refuse de changer un sel, à la main aussi, sauf pour retirer celui d''une entrée effacée.';

create trigger t20_sel_efface before update on audit.feuillage
  for each row execute function audit._t20_sel_efface();

-- An entry that names two clients may be erased twice. The last erasure counts.
create view audit.effacee_vue as
select distinct on (x.id) x.id, x.empreinte
  from audit.effacement e
 cross join lateral (
   select g.id, e.empreintes[row_number() over (order by g.id)] as empreinte
     from unnest(e.ids) p (plage)
    cross join generate_series(lower(p.plage), upper(p.plage) - 1) g (id)) x
 order by x.id, e.id_effacement desc;
comment on view audit.effacee_vue is 'Entrées effacées du journal, et l''empreinte de ce qui en reste.';

create function audit._effacees(p_sceau audit.sceau) returns setof audit.effacee_vue
language plpgsql stable rows 100 as $$
begin
  if p_sceau.registre = 'journal' and exists (
       select from audit.effacement e where e.ids && int8range(p_sceau.du_id, p_sceau.au_id, '[]')) then
    return query select * from audit.effacee_vue v where v.id between p_sceau.du_id and p_sceau.au_id;
  end if;
end $$;
comment on function audit._effacees is 'Entrées effacées qu''un sceau couvre.';

-- The rows of a client, by which entries of the journal and events are found. Rows of these tables are never deleted,
-- except photos, which name their incident or lease. Erasing changes no identifier, so the same rows are found later.
create type audit.rattachements as (
  id_client bigint, id_compte bigint, contrats bigint[], cautions bigint[], signalements bigint[],
  souscriptions bigint[], paiements bigint[], notifications bigint[], exceptions bigint[]);
comment on type audit.rattachements is 'Ce qui se rattache à un client.';

create function audit._paiements_de(p_id_client bigint) returns bigint[]
language sql stable
return array(
  select p.id_paiement from finances.paiement p where p.id_client = p_id_client
  union
  select a.id_paiement from finances.imputation_vue a
    join facturation.facture f on f.id_facture = a.id_facture where f.id_client = p_id_client
  union
  select h.id_paiement from residence.caution_evenement h
    join residence.caution k on k.id_caution = h.id_caution
    join residence.contrat_location l on l.id_contrat = k.id_contrat
   where l.id_client = p_id_client and h.id_paiement is not null);
comment on function audit._paiements_de is 'Paiements d''un client : les siens, ceux de ses factures, ceux de ses cautions.';

create function audit._rattachements(p_id_client bigint) returns audit.rattachements
language plpgsql stable as $$
declare
  v audit.rattachements;
begin
  v.id_client := p_id_client;
  v.id_compte := (select u.id_utilisateur from auth.utilisateur u where u.id_client = p_id_client);
  v.contrats := array(select c.id_contrat from residence.contrat_location c where c.id_client = p_id_client);
  v.cautions := array(select c.id_caution from residence.caution c where c.id_contrat = any (v.contrats));
  v.signalements := array(select s.id_signalement from signalement.signalement s where s.id_client = p_id_client);
  v.souscriptions := array(select s.id_souscription from abonnement.souscription s where s.id_client = p_id_client);
  v.paiements := audit._paiements_de(p_id_client);
  v.exceptions := array(select e.id_exception from finances.exception_caisse e where e.client_nomme = p_id_client);
  v.notifications := array( -- to the client, or about something of his
    select n.id_notification
      from notification.notification n
     cross join lateral split_part(n.evenement, '.', 1) d (domaine)
     where n.id_utilisateur = v.id_compte
        or n.donnees ->> 'id_client' = p_id_client::text
        or n.donnees ->> 'id_utilisateur' = v.id_compte::text
        or (n.donnees ->> 'id_paiement')::bigint = any (v.paiements)
        or d.domaine = 'pressing' and exists (
             select from pressing.commande c
              where c.id_client = p_id_client and c.id_commande = (n.donnees ->> 'id_commande')::bigint)
        or d.domaine = 'restaurant' and exists (
             select from restaurant.commande c
              where c.id_client = p_id_client and c.id_commande = (n.donnees ->> 'id_commande')::bigint)
        or exists (select from market.vente x
                    where x.id_client = p_id_client and x.id_vente = (n.donnees ->> 'id_vente')::bigint)
        or exists (select from residence.sejour_court s
                    where s.id_client = p_id_client and s.id_sejour = (n.donnees ->> 'id_sejour')::bigint)
        or exists (select from salle_fete.reservation r
                    where r.id_client = p_id_client and r.id_reservation = (n.donnees ->> 'id_reservation')::bigint)
        or (n.donnees ->> 'id_signalement')::bigint = any (v.signalements));
  return v;
end $$;
comment on function audit._rattachements is 'Ce qui se rattache à un client.';

create function audit._concerne(p_entite text, p_entite_id text, p_ligne jsonb, p audit.rattachements) returns boolean
language sql immutable
return case p_entite
  when 'abonnement.mouvement' then (p_ligne ->> 'id_souscription')::bigint = any ((p).souscriptions)
  when 'auth.cle' then (p_ligne ->> 'id_utilisateur')::bigint = (p).id_compte
  when 'finances.exception_caisse' then p_entite_id::bigint = any ((p).exceptions)
  when 'finances.paiement' then p_entite_id::bigint = any ((p).paiements)
  when 'notification.notification' then p_entite_id::bigint = any ((p).notifications)
  when 'residence.caution' then (p_ligne ->> 'id_contrat')::bigint = any ((p).contrats)
  when 'residence.caution_evenement' then (p_ligne ->> 'id_caution')::bigint = any ((p).cautions)
  when 'residence.etat_des_lieux' then (p_ligne ->> 'id_contrat')::bigint = any ((p).contrats)
  when 'residence.revision_loyer' then (p_ligne ->> 'id_contrat')::bigint = any ((p).contrats)
  when 'signalement.photo' then (p_ligne ->> 'id_signalement')::bigint = any ((p).signalements)
  else (p_ligne ->> 'id_client')::bigint = (p).id_client end;
comment on function audit._concerne is 'Vrai d''une ligne du journal qui parle d''un client.';

-- The whole journal is read: nothing may be forgotten. When an archived month is restored, only that month is read.
create function audit._restes(p_id_client bigint, p_du timestamptz, p_au timestamptz) returns setof audit.journal
language plpgsql stable as $$
declare
  v constant audit.rattachements := audit._rattachements(p_id_client);
begin
  return query
    select j.id_trace, j.date_heure, j.id_utilisateur, j.module, j.operation, j.entite, j.entite_id, j.montant, x.avant,
           x.apres, x.adresse_ip, j.requete, j.cle
      from audit.journal j
     cross join lateral (
       select j.module || '.' || j.entite as entite, audit._champs_personnels(j.module, j.entite) as champs offset 0) c
     cross join lateral (
       select case when c.champs is not null and audit._concerne(c.entite, j.entite_id, j.avant, v)
                   then audit._effacer_champs(j.avant, c.champs) else j.avant end as avant,
              case when c.champs is not null and audit._concerne(c.entite, j.entite_id, j.apres, v)
                   then audit._effacer_champs(j.apres, c.champs) else j.apres end as apres,
              case when j.id_utilisateur = v.id_compte then null else j.adresse_ip end as adresse_ip offset 0) x
     where j.date_heure >= p_du and j.date_heure < p_au
       and (x.avant, x.apres, x.adresse_ip) is distinct from (j.avant, j.apres, j.adresse_ip)
     order by j.id_trace;
end $$;
comment on function audit._restes is 'Entrées du journal qui parlent encore d''un client, une fois effacées.';

create function audit._restes_effacer(
  p_id_client bigint, p_motif core.libelle, p_evenements int8multirange, p_restes audit.journal[]) returns void
language plpgsql volatile as $$
declare
  v_ids constant int8multirange := coalesce(
    (select range_agg(int8range(r.id_trace, r.id_trace, '[]')) from unnest(p_restes) r), '{}');
begin
  insert into audit.effacement (id_client, id_utilisateur, motif, ids, empreintes, evenements)
  values (p_id_client, core.utilisateur(), p_motif, v_ids,
          array(select audit._trace_empreinte(r) from unnest(p_restes) r order by r.id_trace), p_evenements);
  update audit.journal j set avant = r.avant, apres = r.apres, adresse_ip = r.adresse_ip
    from unnest(p_restes) r
   where j.id_trace = r.id_trace and j.date_heure = r.date_heure;
  update audit.feuillage f
     set sels = array(select case when x.id <@ v_ids then null else x.sel end
                        from unnest(s.ids, f.sels) with ordinality x (id, sel, place) order by x.place)
    from audit.sceau s
   where s.rang = f.rang and s.registre = 'journal' and v_ids && int8range(s.du_id, s.au_id, '[]');
end $$;
comment on function audit._restes_effacer is 'Note l''effacement de ces entrées, en retire les textes et les sels.';
-- The row of audit.effacement comes first, and only texts and salts go.
call core.ne_refuse_pas('audit._restes_effacer', 'REGISTRE_FIGE');

create function audit._fichiers_retirer(p_restes audit.journal[], p_id_client bigint) returns text[]
language plpgsql volatile as $$
declare
  v_cles constant text[] := array(
    select f.cle
      from (select c.photo as cle from client.client c where c.id_client = p_id_client
            union select unnest(array[p.copie_num, p.copie_num_verso])
                    from client.piece_identite p where p.id_client = p_id_client
            union
            select v.value from unnest(p_restes) r
              join audit.journal j on j.id_trace = r.id_trace and j.date_heure = r.date_heure
             cross join lateral (select * from jsonb_each_text(j.avant) union select * from jsonb_each_text(j.apres)) v
             where v.key in ('photo', 'copie_num', 'copie_num_verso', 'cle_objet')) f
     where f.cle is not null
       and not exists (select from client.client c where c.photo = f.cle and c.id_client <> p_id_client)
       and not exists (select from client.piece_identite p
                        where f.cle in (p.copie_num, p.copie_num_verso) and p.id_client <> p_id_client)
       and not exists (select from residence.etat_des_lieux e where e.cle_objet = f.cle)
       and not exists (select from signalement.photo s where s.cle_objet = f.cle)
       and not exists (select from market.produit p where p.image_url = f.cle)
       and not exists (select from restaurant.plat p where p.image_url = f.cle)
       and not exists (select from finances.depense d where d.justificatif = f.cle)
     order by f.cle);
begin
  if cardinality(v_cles) > 0 then
    perform core._differer('effacer-fichiers', jsonb_build_object('cles', v_cles));
  end if;
  return v_cles;
end $$;
comment on function audit._fichiers_retirer is
  'Met en file le retrait des fichiers que nomment les entrées à effacer d''un client, et qu''aucune ligne ne nomme plus ; rend leurs clés.';

create function audit._mois_effacer(p_partie text) returns bigint
language plpgsql volatile as $$
declare
  v_mois record;
  v_id_client bigint;
  v_restes audit.journal[];
  v_entrees bigint := 0;
begin
  select * into strict v_mois from audit.partie_vue p where p.nom = p_partie;
  for v_id_client in select distinct e.id_client from audit.effacement e order by 1 loop
    v_restes := array(select r from audit._restes(v_id_client, coalesce(v_mois.du, '-infinity'), v_mois.au) r);
    if cardinality(v_restes) > 0 then
      perform audit._fichiers_retirer(v_restes, v_id_client);
      perform audit._restes_effacer(v_id_client, 'Remis de son archive : ' || p_partie, '{}', v_restes);
      v_entrees := v_entrees + cardinality(v_restes);
    end if;
  end loop;
  return v_entrees;
end $$;
comment on function audit._mois_effacer is
  'Applique les effacements à une partie du journal remise de son archive, met en file le retrait des fichiers qu''elle seule nomme, et rend le nombre d''entrées changées.';

-- The foreign key locks the row of the client first, so a write that waited for the erasure sees it.
create function audit._client_vivant_exiger(p_id_client bigint) returns void
language plpgsql volatile as $$
begin
  if exists (select from audit.effacement e where e.id_client = p_id_client) then
    perform core.refuser(409, 'CLIENT_EFFACE',
                         'Les données de ce client ont été effacées : enregistrez un nouveau client.');
  end if;
end $$;
comment on function audit._client_vivant_exiger is 'Refuse un client dont les données ont été effacées : CLIENT_EFFACE.';
-- Every write that names a client may meet an erased one: no operation publishes the rule.
call core.ne_refuse_pas('audit._client_vivant_exiger', 'CLIENT_EFFACE');

create function audit._t20_client_efface() returns trigger
language plpgsql volatile as $$
begin
  perform audit._client_vivant_exiger(new.id_client);
  return null;
end $$;
comment on function audit._t20_client_efface is 'Refuse de changer la fiche d''un client effacé, ou de lui rattacher quelque chose : CLIENT_EFFACE.';

-- The triggers of a settlement check the client of an invoice and of a payment (finances/reglement).
do $$
declare
  v record;
begin
  for v in
    select k.conrelid::regclass as entite, 't20_client_efface' as nom, 'insert or update of id_client' as quand
      from pg_constraint k where k.contype = 'f' and k.confrelid = 'client.client'::regclass
       and k.conrelid <> all ('{audit.effacement,facturation.facture,finances.paiement}'::regclass[])
    union all
    select e, 't20_client_efface_change', 'update'
      from unnest('{client.client,client.contact_urgence,client.piece_identite,auth.utilisateur}'::regclass[]) e
  loop
    execute format('create trigger %s after %s on %s for each row when (new.id_client is not null)
                    execute function audit._t20_client_efface()', v.nom, v.quand, v.entite);
  end loop;
end $$;
