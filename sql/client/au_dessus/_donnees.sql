-- All that is kept of one client: tests/house/test_personal_data.py compares its tables with the foreign keys.

-- Most entries of a client name him. The others are of rows that are linked to something of his: their identifiers find
-- them, except for keys and photos, whose rows are deleted. Each part is read by an index.
create function client._journal(p audit.rattachements) returns setof audit.journal
language plpgsql stable set enable_seqscan = off as $$
declare
  v_client constant text := p.id_client::text;
  v_paiements constant text[] := array(
    select x.id_paiement from finances.paiement x
     where x.id_paiement = any (p.paiements) and x.id_client is distinct from p.id_client);
  v_mouvements constant text[] := array(
    select m.id_mouvement from abonnement.mouvement m where m.id_souscription = any (p.souscriptions));
  v_retenues constant text[] := array(
    select x.id_evenement from residence.caution_evenement x where x.id_caution = any (p.cautions));
  v_revisions constant text[] := array(
    select x.id_revision from residence.revision_loyer x where x.id_contrat = any (p.contrats));
begin
  return query
    select distinct on (x.id_trace) x.*
      from (
        select j.* from audit.journal j where j.avant ->> 'id_client' = v_client
        union all
        select j.* from audit.journal j where j.apres ->> 'id_client' = v_client
        union all
        select j.*
          from (values
            ('finances', 'paiement', v_paiements), ('notification', 'notification', p.notifications::text[]),
            ('abonnement', 'mouvement', v_mouvements), ('residence', 'caution', p.cautions::text[]),
            ('residence', 'caution_evenement', v_retenues), ('residence', 'revision_loyer', v_revisions))
               v (module, entite, ids)
         cross join lateral (
           select * from audit.journal j
            where j.module = v.module and j.entite = v.entite and j.entite_id = any (v.ids) offset 0) j
        union all
        select j.* from audit.journal j
         where j.entite in ('cle', 'etat_des_lieux', 'photo')
           and audit._champs_personnels(j.module, j.entite) is not null
           and (audit._concerne(j.module || '.' || j.entite, j.entite_id, j.avant, p)
                or audit._concerne(j.module || '.' || j.entite, j.entite_id, j.apres, p))) x
     order by x.id_trace;
end $$;
comment on function client._journal is 'Entrées du journal qui parlent d''un client.';

create function client._donnees(p_id_client bigint) returns jsonb
language plpgsql stable as $$
declare
  v constant audit.rattachements := audit._rattachements(p_id_client);
  v_factures constant bigint[] := array(select f.id_facture from facturation.facture f where f.id_client = p_id_client);
begin
  return jsonb_build_object(
    'fiche', (select to_jsonb(c) from client.client c where c.id_client = p_id_client),
    'contacts_urgence', (select jsonb_agg(k order by k.id_contact)
                           from client.contact_urgence k where k.id_client = p_id_client),
    'pieces_identite', (select jsonb_agg(x order by x.id_piece)
                          from client.piece_identite x where x.id_client = p_id_client),
    'compte', (select to_jsonb(u) from auth.utilisateur u where u.id_utilisateur = v.id_compte),
    'connexions', (select jsonb_agg(x order by x.id_connexion)
                     from auth.connexion x where x.id_utilisateur = v.id_compte),
    'sessions', (select jsonb_agg(to_jsonb(x) - array['hash', 'replaced_by_hash'] order by x.date_creation)
                   from auth.jeton_rafraichissement x where x.id_utilisateur = v.id_compte),
    'cles', (select jsonb_agg(to_jsonb(k) - 'hash' || jsonb_build_object(
                                'utilisee_le', u.date, 'adresse_ip', u.adresse_ip) order by k.id_cle)
               from auth.cle k left join auth.cle_usage u on u.id_cle = k.id_cle where k.id_utilisateur = v.id_compte),
    'factures', (select jsonb_agg(to_jsonb(f) || jsonb_build_object('lignes', (
                          select jsonb_agg(l order by l.id_ligne)
                            from facturation.facture_ligne l where l.id_facture = f.id_facture))
                        order by f.id_facture)
                   from facturation.facture f where f.id_client = p_id_client),
    'avoirs', (select jsonb_agg(a order by a.id_avoir) from facturation.avoir a where a.id_client = p_id_client),
    'paiements', (select jsonb_agg(x order by x.id_paiement)
                    from finances.paiement x where x.id_paiement = any (v.paiements)),
    'imputations', (select jsonb_agg(x order by x.id_paiement, x.id_application)
                      from finances.imputation_vue x where x.id_facture = any (v_factures)),
    'credit', (select jsonb_agg(m order by m.id_mouvement)
                 from finances.mouvement_credit m where m.id_client = p_id_client),
    'contrats_location', (select jsonb_agg(c order by c.id_contrat)
                            from residence.contrat_location c where c.id_client = p_id_client),
    'echeances', (select jsonb_agg(e order by e.id_echeance)
                    from residence.echeance e where e.id_contrat = any (v.contrats)),
    'revisions_loyer', (select jsonb_agg(x order by x.id_revision)
                          from residence.revision_loyer x where x.id_contrat = any (v.contrats)),
    'cautions', (select jsonb_agg(k order by k.id_caution)
                   from residence.caution k where k.id_caution = any (v.cautions)),
    'evenements_caution', (select jsonb_agg(x order by x.id_evenement)
                             from residence.caution_evenement x where x.id_caution = any (v.cautions)),
    'etats_des_lieux', (select jsonb_agg(e order by e.id_photo)
                          from residence.etat_des_lieux e where e.id_contrat = any (v.contrats)),
    'charges', (select jsonb_agg(c order by c.id_charge)
                  from residence.charge_facturee c where c.id_client = p_id_client),
    'sejours', (select jsonb_agg(s order by s.id_sejour) from residence.sejour_court s where s.id_client = p_id_client),
    'abonnements', (select jsonb_agg(a order by a.id_abonnement)
                      from residence.abonnement a where a.id_client = p_id_client),
    'abonnements_prepayes', (select jsonb_agg(s order by s.id_souscription)
                               from abonnement.souscription s where s.id_client = p_id_client),
    'mouvements_abonnement', (select jsonb_agg(m order by m.id_mouvement)
                                from abonnement.mouvement m where m.id_souscription = any (v.souscriptions)),
    'commandes_pressing', (select jsonb_agg(to_jsonb(c) || jsonb_build_object('lignes', (
                                    select jsonb_agg(l order by l.id_ligne)
                                      from pressing.commande_ligne l where l.id_commande = c.id_commande))
                                  order by c.id_commande)
                             from pressing.commande c where c.id_client = p_id_client),
    'commandes_restaurant', (select jsonb_agg(to_jsonb(c) || jsonb_build_object('lignes', (
                                      select jsonb_agg(l order by l.id_ligne)
                                        from restaurant.commande_ligne l where l.id_commande = c.id_commande))
                                    order by c.id_commande)
                               from restaurant.commande c where c.id_client = p_id_client),
    'achats', (select jsonb_agg(to_jsonb(x) || jsonb_build_object('lignes', (
                        select jsonb_agg(to_jsonb(l) - 'prix_achat' order by l.id_ligne)
                          from market.vente_ligne l where l.id_vente = x.id_vente))
                      order by x.id_vente)
                 from market.vente x where x.id_client = p_id_client),
    'reservations', (select jsonb_agg(r order by r.id_reservation)
                       from salle_fete.reservation r where r.id_client = p_id_client),
    'signalements', (select jsonb_agg(s order by s.id_signalement)
                       from signalement.signalement s where s.id_client = p_id_client),
    'photos_signalement', (select jsonb_agg(x order by x.id_photo)
                             from signalement.photo x where x.id_signalement = any (v.signalements)),
    'notifications', (select jsonb_agg(n order by n.id_notification)
                        from notification.notification n where n.id_notification = any (v.notifications)),
    'feuilles_importees', (select jsonb_agg(jsonb_build_object('import', x.id_import, 'ligne', x.ligne,
                                                               'cellules', x.cellules) order by x.id_import, x.ligne)
                             from client._lignes_importees(v, false) x where x.cellules <> '[]'),
    'effacements', (select jsonb_agg(jsonb_build_object('date', e.date, 'motif', e.motif) order by e.id_effacement)
                      from audit.effacement e where e.id_client = p_id_client),
    'journal', (select jsonb_agg(jsonb_build_object(
                         'date', j.date_heure, 'operation', j.operation,
                         'entite', (select m.mots from core.en_mots('LIGNE', j.module || '.' || j.entite) m),
                         'identifiant', j.entite_id, 'avant', audit._masquer_profond(j.avant),
                         'apres', audit._masquer_profond(j.apres),
                         'adresse_ip', case when j.id_utilisateur = v.id_compte then j.adresse_ip end)
                       order by j.id_trace)
                  from client._journal(v) j));
end $$;
comment on function client._donnees is 'Tout ce que la base garde d''un client : ses lignes par table, ses documents, son compte, le journal.';
-- The depth was checked when the row of the journal was written.
call core.ne_refuse_pas('client._donnees', 'TROP_IMBRIQUE');
