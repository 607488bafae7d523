-- Erasing a client: what forbids it, and the rows that lose his data. sql/audit/_effacement.sql does the journal.
--
-- A text that a column requires becomes « [effacé] », a phone number that it requires 00000, and a value that must be
-- unique one made of the identifier. Amounts, numbers, dates and identifiers stay.

create function client._derniere_operation(p_id_client bigint) returns date
language sql stable
return greatest(
  (select max(f.jour) from facturation.facture f where f.id_client = p_id_client),
  (select max(a.jour) from facturation.avoir a where a.id_client = p_id_client),
  (select max(p.jour) from finances.paiement p where p.id_paiement = any (audit._paiements_de(p_id_client))),
  (select max(core.jour(m.date)) from finances.mouvement_credit m where m.id_client = p_id_client),
  (select max(coalesce(c.date_resiliation, c.date_fin_prevue, c.date_debut))
     from residence.contrat_location c where c.id_client = p_id_client),
  (select max(k.date_restitution) -- the part that the house keeps is entered without a payment
     from residence.caution k join residence.contrat_location c on c.id_contrat = k.id_contrat
    where c.id_client = p_id_client),
  (select max(coalesce(a.date_fin, a.date_debut)) from residence.abonnement a where a.id_client = p_id_client),
  (select max(core.jour(c.date_creation)) from residence.charge_facturee c where c.id_client = p_id_client),
  (select max(core.jour(coalesce(s.date_heure_depart_reelle, s.date_heure_depart_prevue, s.date_creation)))
     from residence.sejour_court s where s.id_client = p_id_client),
  (select max(core.jour(coalesce(c.date_retrait_reelle, c.date_depot, c.date_demande)))
     from pressing.commande c where c.id_client = p_id_client),
  (select max(core.jour(c.date)) from restaurant.commande c where c.id_client = p_id_client),
  (select max(core.jour(v.date)) from market.vente v where v.id_client = p_id_client),
  (select max(r.date_evenement) from salle_fete.reservation r where r.id_client = p_id_client),
  (select max(s.date_fin) from abonnement.souscription s where s.id_client = p_id_client));
comment on function client._derniere_operation is
  'Jour de la dernière facture, du dernier paiement, de la fin du dernier bail, séjour, commande, réservation ou abonnement d''un client, de la restitution de sa dernière caution ; null s''il n''a rien eu.';

create function client._en_cours(p_id_client bigint) returns text[]
language sql stable
return array(
  select o.quoi from (values
    (1, 'une facture à payer', exists (
      select from facturation.facture f where f.id_client = p_id_client and f.statut in ('IMPAYEE', 'PARTIELLE'))),
    (2, 'un crédit', finances._credit(p_id_client) <> 0),
    (3, 'un contrat de location', exists (
      select from residence.contrat_location c
       where c.id_client = p_id_client
         and (c.statut in ('EN_ATTENTE', 'ACTIF') or c.date_resiliation > core.aujourdhui()))),
    (4, 'une caution', exists (
      select from residence.caution k join residence.contrat_location c on c.id_contrat = k.id_contrat
       where c.id_client = p_id_client and k.payee and k.date_restitution is null)),
    -- The first payment of an instalment makes its invoice, so one that nothing has paid has none. So with a stay.
    (5, 'un loyer à payer', exists (
      select from residence.echeance e join residence.contrat_location c on c.id_contrat = e.id_contrat
       where c.id_client = p_id_client and not e.annulee and e.montant_paye < e.montant)),
    (6, 'un loyer à rendre', exists (
      select from residence.contrat_location c
       where c.id_client = p_id_client and residence._a_rembourser(c.id_contrat) > 0)),
    (7, 'un abonnement', exists (
      select from residence.abonnement a where a.id_client = p_id_client and a.statut in ('ACTIF', 'SUSPENDU'))
     or exists (select from abonnement.souscription s
                 where s.id_client = p_id_client and s.statut = 'ACTIVE' and s.date_fin >= core.aujourdhui())),
    (8, 'un séjour', exists (
      select from residence.sejour_court s where s.id_client = p_id_client and s.statut not in ('TERMINE', 'ANNULE'))),
    (9, 'un séjour à payer', exists (
      select from residence.sejour_court s
       where s.id_client = p_id_client and s.statut = 'TERMINE' and s.montant_total > 0
         and not exists (select from facturation.facture f
                          where f.source_type = 'SEJOUR' and f.source_id = s.id_sejour and not f.annulee))),
    (10, 'une commande', exists (
      select from pressing.commande c where c.id_client = p_id_client and c.statut not in ('RETIRE', 'ANNULEE'))
     or exists (select from restaurant.commande c
                 where c.id_client = p_id_client and c.statut not in ('PAYEE', 'ANNULEE'))
     or exists (select from market.vente v where v.id_client = p_id_client and v.statut not in ('PAYEE', 'ANNULEE'))),
    (11, 'une réservation', exists (
      select from salle_fete.reservation r
       where r.id_client = p_id_client and r.statut not in ('REALISEE', 'ANNULEE'))),
    (12, 'une exception de caisse', exists (
      select from finances.exception_caisse e where e.client_nomme = p_id_client and e.statut = 'OUVERTE')),
    (13, 'un signalement', exists (
      select from signalement.signalement s where s.id_client = p_id_client and s.statut in ('OUVERT', 'EN_COURS'))))
    o (rang, quoi, ouvert)
   where o.ouvert order by o.rang);
comment on function client._en_cours is 'Ce qu''un client a encore d''ouvert, en mots.';

create function client._effacement_verifier(p_id_client bigint) returns void
language plpgsql stable as $$
declare
  v_en_cours constant text[] := client._en_cours(p_id_client);
  v_fin constant date := client._derniere_operation(p_id_client)
                         + make_interval(years => core.parametre('RETENTION_LEGALE')::integer);
begin
  if exists (select from audit.effacement e where e.id_client = p_id_client) then
    perform core.refuser(409, 'CLIENT_DEJA_EFFACE', 'Les données de ce client sont déjà effacées.');
  elsif cardinality(v_en_cours) > 0 then
    perform core.refuser(409, 'CLIENT_EN_COURS',
      format('Ce client a encore %s : soldez ou annulez d''abord.', array_to_string(v_en_cours, ', ')),
      jsonb_build_object('en_cours', v_en_cours));
  elsif exists (select from auth.utilisateur u
                 where u.id_client = p_id_client
                   and (exists (select from rh.employe e where e.id_utilisateur = u.id_utilisateur)
                        or u.actif and exists (select from auth.role r where r.id_role = u.id_role
                                                  and r.code not in ('CLIENT', 'RESIDENT')))) then
    perform core.refuser(409, 'COMPTE_DU_PERSONNEL',
      'Le compte de ce client est aussi celui d''un membre du personnel : déliez-le d''abord du client.');
  elsif v_fin > core.aujourdhui() then
    perform core.refuser(409, 'RETENTION_EN_COURS',
      format('La loi demande de garder les données de ce client jusqu''au %s (paramètre RETENTION_LEGALE).',
             to_char(v_fin, 'DD/MM/YYYY')),
      jsonb_build_object('jusqu_au', v_fin));
  end if;
end $$;
comment on function client._effacement_verifier is
  'Refuse CLIENT_DEJA_EFFACE, CLIENT_EN_COURS, COMPTE_DU_PERSONNEL, RETENTION_EN_COURS.';

create function client._fiche_effacer(p_id_client bigint) returns integer
language sql volatile
begin atomic
  with fiche as (
    update client.client c
       set nom = '[effacé]', prenoms = '[effacé]', tel_principal = '00000', tel_secondaire = null, email = null,
           date_naissance = null, lieu_naissance = null, sexe = null, nationalite = null, profession = null,
           photo = null, adresse = null, ville = null, pays = null, numero_contribuable = null
     where c.id_client = p_id_client
    returning 1),
  contacts as (
    update client.contact_urgence k
       set nom = '[effacé]', prenom = null, lien = '[effacé]', tel_principal = '00000', tel_secondaire = null,
           adresse = null, email = null
     where k.id_client = p_id_client
    returning 1),
  pieces as (
    update client.piece_identite p
       set numero = 'efface-' || p.id_piece, autorite_delivrance = null, copie_num = null, copie_num_verso = null
     where p.id_client = p_id_client
    returning 1)
  select (select count(*) from fiche)::integer + (select count(*) from contacts)::integer
         + (select count(*) from pieces)::integer;
end;
comment on function client._fiche_effacer is 'Efface la fiche d''un client, ses contacts et ses pièces ; rend le nombre de lignes.';
-- The tax number goes, and a number that is gone has no form.
call core.ne_refuse_pas('client._fiche_effacer', 'NUMERO_CONTRIBUABLE_INVALIDE');

-- The account stays, because rows name who wrote them. It opens no session any more.
create function client._compte_effacer(p_id_compte bigint) returns integer
language plpgsql volatile as $$
declare
  v_login constant text := (select u.login from auth.utilisateur u where u.id_utilisateur = p_id_compte);
  v_lignes integer;
begin
  if p_id_compte is null then
    return 0;
  end if;
  update queue.procrastinate_jobs j
     set args = j.args - '{email,nom,faits}'::text[] || jsonb_build_object('login', 'efface-' || p_id_compte)
   where j.args ->> 'login' = v_login;
  with compte as (
    update auth.utilisateur u
       set login = 'efface-' || p_id_compte, nom = null, prenom = null, email = null, actif = false
     where u.id_utilisateur = p_id_compte
    returning 1),
  cles as (delete from auth.cle c where c.id_utilisateur = p_id_compte returning 1),
  facteurs as (delete from auth.second_facteur f where f.id_utilisateur = p_id_compte returning 1),
  codes as (delete from auth.code_secours c where c.id_utilisateur = p_id_compte returning 1),
  secrets as (delete from auth.secret s where s.id_utilisateur = p_id_compte returning 1),
  liens as (delete from auth.jeton_reinitialisation j where j.id_utilisateur = p_id_compte returning 1),
  connexions as (delete from auth.connexion c where c.id_utilisateur = p_id_compte returning 1)
  select count(*) into v_lignes
    from (select from compte union all select from cles union all select from facteurs union all select from codes
          union all select from secrets union all select from liens union all select from connexions) l;
  delete from auth.jeton_rafraichissement j where j.id_utilisateur = p_id_compte;
  return v_lignes;
end $$;
comment on function client._compte_effacer is
  'Efface et désactive le compte d''un client, avec ses sessions, ses connexions, ses clés et son second facteur ; rend le nombre de lignes.';
-- Its role is CLIENT or RESIDENT.
call core.ne_refuse_pas('client._compte_effacer', 'DERNIER_ADMINISTRATEUR');

create function client._textes_effacer(p audit.rattachements) returns integer
language plpgsql volatile as $$
declare
  v_lignes integer;
begin
  with pressing as (
    update pressing.commande c set notes = null, motif_annulation = null
     where c.id_client = (p).id_client and num_nonnulls(c.notes, c.motif_annulation) > 0 returning 1),
  restaurant as (
    update restaurant.commande c
       set adresse_livraison = case when c.adresse_livraison is not null then '[effacé]' end,
           notes = null, motif_annulation = null
     where c.id_client = (p).id_client
       and num_nonnulls(c.adresse_livraison, c.notes, c.motif_annulation) > 0 returning 1),
  ventes as (
    update market.vente v set note = null, motif_annulation = null
     where v.id_client = (p).id_client and num_nonnulls(v.note, v.motif_annulation) > 0 returning 1),
  reservations as (
    update salle_fete.reservation r set observations = null, motif_annulation = null
     where r.id_client = (p).id_client and num_nonnulls(r.observations, r.motif_annulation) > 0 returning 1),
  signalements as (
    update signalement.signalement s
       set titre = '[effacé]', description = '[effacé]', lieu = null,
           note_resolution = case when s.note_resolution is not null then '[effacé]' end
     where s.id_client = (p).id_client returning 1),
  photos as (delete from signalement.photo f where f.id_signalement = any ((p).signalements) returning 1),
  sejours as (
    update residence.sejour_court s set observations = null, motif_annulation = null
     where s.id_client = (p).id_client and num_nonnulls(s.observations, s.motif_annulation) > 0 returning 1),
  contrats as (
    update residence.contrat_location c set motif_resiliation = null
     where c.id_client = (p).id_client and c.motif_resiliation is not null returning 1),
  cautions as (
    update residence.caution k set motif_retenue = null
     where k.id_caution = any ((p).cautions) and k.motif_retenue is not null returning 1),
  evenements as (
    update residence.caution_evenement h set motif = null
     where h.id_caution = any ((p).cautions) and h.motif is not null returning 1),
  revisions as (
    update residence.revision_loyer r set motif = null
     where r.id_contrat = any ((p).contrats) and r.motif is not null returning 1),
  etats as (delete from residence.etat_des_lieux e where e.id_contrat = any ((p).contrats) returning 1),
  factures as (
    update facturation.facture f set motif_annulation = null
     where f.id_client = (p).id_client and f.motif_annulation is not null returning 1),
  paiements as (
    update finances.paiement x set motif = null
     where x.id_paiement = any ((p).paiements) and x.motif is not null returning 1),
  souscriptions as (
    update abonnement.souscription s set motif_statut = null, note = null
     where s.id_client = (p).id_client and num_nonnulls(s.motif_statut, s.note) > 0 returning 1),
  mouvements as (
    update abonnement.mouvement m set motif = null
     where m.id_souscription = any ((p).souscriptions) and m.motif is not null returning 1)
  select count(*) into v_lignes
    from (select from pressing union all select from restaurant union all select from ventes
          union all select from reservations union all select from signalements union all select from photos
          union all select from sejours union all select from contrats union all select from cautions
          union all select from evenements union all select from revisions union all select from etats
          union all select from factures union all select from paiements union all select from souscriptions
          union all select from mouvements) l;
  return v_lignes + compta._libelles_effacer(
    array(select f.id_facture from facturation.facture f where f.id_client = (p).id_client),
    array(select a.id_avoir from facturation.avoir a where a.id_client = (p).id_client), (p).paiements, (p).cautions);
end $$;
comment on function client._textes_effacer is
  'Efface les textes libres et les photos des lignes d''un client ; rend le nombre de lignes.';
-- Frozen rows let a text go, and no state, price or date changes.
call core.ne_refuse_pas('client._textes_effacer', 'DEPART_NOTE', 'ECRITURE_FIGEE', 'MOUVEMENT_D_ABONNEMENT_FIGE',
  'RESERVATION_CLOSE', 'SEJOUR_CLOS', 'SEJOUR_FACTURE', 'SOUSCRIPTION_FIGEE');

-- A stored answer, or a row of a sheet that was refused, names him without a key.
create function client._mots_personnels(p_id_client bigint, p_id_compte bigint) returns text[]
language sql stable
return array(
  select m.mot
    from (select unnest(array[c.tel_principal, c.tel_secondaire, c.email, c.nom || ' ' || c.prenoms,
                              c.prenoms || ' ' || c.nom]) as mot
            from client.client c where c.id_client = p_id_client
          union select p.numero from client.piece_identite p where p.id_client = p_id_client
          union select unnest(array[u.login, u.email]) from auth.utilisateur u where u.id_utilisateur = p_id_compte) m
   where char_length(m.mot) >= 5);
comment on function client._mots_personnels is 'Textes par lesquels un client se reconnaît.';

-- An exception that was to enrol him has no key of his: it is found by his texts, and named before they go.
create function client._exceptions_nommer(p_id_client bigint) returns void
language sql volatile
begin atomic
  update finances.exception_caisse e
     set client_nomme = p_id_client
    from client.client c
   where c.id_client = p_id_client and e.client_nomme is distinct from p_id_client
     and ((e.operation #>> '{corps,nom}', e.operation #>> '{corps,prenoms}') = (c.nom, c.prenoms)
          or exists (
            select from unnest(client._mots_personnels(p_id_client, (
                     select u.id_utilisateur from auth.utilisateur u where u.id_client = p_id_client))) m (mot)
             where strpos(concat(e.operation, e.corrections, e.reponse, e.motif), m.mot) > 0));
end;
comment on function client._exceptions_nommer is 'Rattache à un client les exceptions de caisse qui le nomment sans sa clé.';
-- Nothing else of an exception changes.
call core.ne_refuse_pas('client._exceptions_nommer', 'EXCEPTION_FIGEE');

-- Rows of sheets about him. One without a key is found as people write: in any case, with a phone number in groups. A
-- row that can still be imported is left: it names a client to come. Words prove nothing: any visitor signs up with the
-- login and the phone number that he wants, so a reader gets only the rows that have a key of his.
create function client._lignes_importees(p audit.rattachements, p_nommees boolean) returns setof echange.ligne
language plpgsql stable rows 10 as $$
declare
  v_mots constant text[] := client._mots_personnels((p).id_client, (p).id_compte);
  v_minuscules constant text[] := array(select lower(m) from unnest(v_mots) m);
  v_client client.client;
begin
  select * into strict v_client from client.client c where c.id_client = (p).id_client;
  return query
    select l.*
      from echange.ligne l
      join echange.import i on i.id_import = l.id_import
     cross join lateral (select lower(l.cellules::text)::jsonb as valeur) cellules
     where i.entite = 'clients' and l.id_entite = (p).id_client
        or i.entite = 'contrats' and l.id_entite = any ((p).contrats)
        or i.entite = 'factures' and l.id_entite in (
             select f.id_facture from facturation.facture f where f.id_client = (p).id_client)
        or p_nommees and l.cellules ?| v_mots
        or p_nommees and l.id_entite is null and (l.issue not in ('A_ESSAYER', 'ACCEPTEE') or i.etat = 'ANNULE')
           and (cellules.valeur ?| v_minuscules
                or cellules.valeur ?& array[lower(v_client.nom), lower(v_client.prenoms)]
                or i.entite = 'clients'
                   and starts_with(l.repere, lower(v_client.nom) || '|' || lower(v_client.prenoms) || '|')
                or exists (select from jsonb_array_elements_text(l.cellules) x,
                                       unnest(array[v_client.tel_principal::text, v_client.tel_secondaire]) t
                            where char_length(echange._chiffres(t)) >= 8 and echange._meme_telephone(x, t)));
end $$;
comment on function client._lignes_importees is
  'Lignes de feuilles qui ont apporté un client ou ce qui est à lui ; avec p_nommees, aussi celles qui le nomment.';

-- Before the client's own rows lose what it looks for.
create function client._copies_effacer(p audit.rattachements) returns integer
language plpgsql volatile as $$
declare
  v_mots constant text[] := client._mots_personnels((p).id_client, (p).id_compte);
  v_lignes integer;
begin
  with avis as (
    update notification.notification n
       set corps = '[effacé]',
           donnees = audit._effacer_champs(n.donnees, audit._champs_personnels('notification', 'notification'))
     where n.id_notification = any ((p).notifications) returning 1),
  feuilles as (
    update echange.ligne l set cellules = '[]', donnees = '{}', erreurs = '[]', repere = null
      from client._lignes_importees(p, true) x
     where x.id_import = l.id_import and x.ligne = l.ligne
    returning 1),
  reponses as (
    update core.idempotence r set reponse = '{}'
     where r.id_utilisateur = (p).id_compte
        or convert_from(r.reponse, 'UTF8') ~ format('"id_client" ?: ?"%s"', (p).id_client)
        or exists (select from unnest(v_mots) m where strpos(convert_from(r.reponse, 'UTF8'), m) > 0)
    returning 1),
  operations as (
    update finances.operation_appareil o set reponse = '{}'
     where o.client_nomme = (p).id_client and o.reponse <> '{}' returning 1),
  exceptions as (
    update finances.exception_caisse e
       set operation = audit._effacer_champs(e.operation, x.champs),
           corrections = audit._effacer_champs(e.corrections, x.champs),
           reponse = case when e.reponse is not null then '{}' end,
           motif = case when e.motif is not null then '[effacé]' end
      from audit._champs_personnels('finances', 'exception_caisse') x (champs)
     where e.id_exception = any ((p).exceptions) returning 1)
  select count(*) into v_lignes
    from (select from avis union all select from feuilles union all select from reponses
          union all select from operations union all select from exceptions) l;
  return v_lignes;
end $$;
comment on function client._copies_effacer is
  'Efface ce que d''autres tables répètent d''un client : notifications, lignes de feuilles importées, réponses gardées ; rend le nombre de lignes.';
