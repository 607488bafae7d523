-- Both views read their tables with the rights of the caller, so the portal shares them: row-level security limits it
-- to the rows of its client.
create view abonnement.mouvement_vue with (security_invoker = true) as
select m.id_mouvement, m.id_souscription, m.type, abonnement._quantite(m.quantite, o.unite) as quantite, m.motif,
       m.id_mouvement_origine, m.id_commande_pressing, p.numero_commande as numero_commande_pressing,
       m.id_commande_restaurant, m.date, m.id_utilisateur
  from abonnement.mouvement m
  join abonnement.souscription s on s.id_souscription = m.id_souscription
  join abonnement.offre o on o.id_offre = s.id_offre
  left join pressing.commande p on p.id_commande = m.id_commande_pressing;
comment on view abonnement.mouvement_vue is 'Mouvements des abonnements.';
comment on column abonnement.mouvement_vue.numero_commande_pressing is 'Numéro de la commande du pressing.';
call core.peut_etre_null('abonnement.mouvement_vue', 'numero_commande_pressing');
call core.jamais_null('abonnement.mouvement_vue', 'quantite');

create view abonnement._souscription_vue with (security_invoker = true) as
select s.id_souscription, s.id_client, c.nom as client_nom, c.prenoms as client_prenoms, s.id_offre,
       o.code as offre_code, o.libelle as offre_libelle, o.activite, o.id_prestation,
       p.libelle as prestation_libelle, o.id_categorie_plat, o.max_par_jour,
       abonnement._quantite(s.quota, o.unite) as quota, o.unite, s.prix, s.date_debut, s.date_fin, s.statut,
       s.motif_statut, s.reliquat, s.id_facture, s.paiement_partiel_autorise_par, s.note, s.id_utilisateur,
       s.date_creation, abonnement._quantite(m.solde, o.unite) as solde,
       abonnement._quantite(m.consomme, o.unite) as consomme_aujourdhui, f.numero as facture_numero, f.montant_paye,
       f.reste as reste_a_payer, e.etat, e.etat = 'EXPIREE' and m.solde > 0 as reliquat_a_decider
  from abonnement.souscription s
  join abonnement.offre o on o.id_offre = s.id_offre
  left join pressing.prestation p on p.id_prestation = o.id_prestation
  join client.client c on c.id_client = s.id_client
  join facturation.facture f on f.id_facture = s.id_facture
 cross join lateral (
    select s.quota + coalesce(sum(x.quantite), 0) as solde,
           coalesce(-sum(x.quantite) filter (where x.type in ('CONSOMMATION', 'ANNULATION')
                                               and x.jour = (select core.aujourdhui())), 0) as consomme
      from abonnement.mouvement x where x.id_souscription = s.id_souscription) m
 cross join lateral (
    select (case when s.statut <> 'ACTIVE' then s.statut::text
                 when s.date_fin < (select core.aujourdhui()) then 'EXPIREE'
                 when s.date_debut > (select core.aujourdhui()) then 'A_VENIR'
                 when m.solde <= 0 then 'EPUISEE'
                 else 'ACTIVE' end)::abonnement.etat_souscription as etat) e;
comment on view abonnement._souscription_vue is 'Abonnements vendus, leur solde et leur état ce jour.';

create view abonnement.souscription_vue as
select s.*
  from abonnement._souscription_vue s
  join core.activite a on a.code = s.activite::text
 where (select core.client()) is null and core._visible(a.id_activite, (select core.activite()));
comment on view abonnement.souscription_vue is 'Abonnements vendus des activités que l''utilisateur voit.';
comment on column abonnement.souscription_vue.client_nom is 'Nom du client.';
comment on column abonnement.souscription_vue.client_prenoms is 'Prénoms du client.';
comment on column abonnement.souscription_vue.offre_code is 'Code de l''offre.';
comment on column abonnement.souscription_vue.offre_libelle is 'Libellé présent de l''offre.';
comment on column abonnement.souscription_vue.activite is 'PRESSING ou RESTAURATION.';
comment on column abonnement.souscription_vue.unite is 'Unité du quota et du solde.';
comment on column abonnement.souscription_vue.id_prestation is 'Prestation du pressing que l''abonnement paie.';
comment on column abonnement.souscription_vue.prestation_libelle is 'Libellé de cette prestation.';
comment on column abonnement.souscription_vue.id_categorie_plat is 'Catégorie des plats que l''abonnement paie, null pour tous.';
comment on column abonnement.souscription_vue.max_par_jour is 'Unités payées par jour de gestion, null sans limite.';
comment on column abonnement.souscription_vue.solde is 'Quota plus tous les mouvements, jamais moins que zéro.';
comment on column abonnement.souscription_vue.consomme_aujourdhui is 'Unités consommées ce jour de gestion, annulations déduites.';
comment on column abonnement.souscription_vue.facture_numero is 'Numéro de sa facture.';
comment on column abonnement.souscription_vue.montant_paye is 'Ce qui est payé de sa facture.';
comment on column abonnement.souscription_vue.reste_a_payer is 'Ce qui reste dû de sa facture.';
comment on column abonnement.souscription_vue.etat is 'État ce jour : RESILIEE ou ANNULEE comme le statut, sinon EXPIREE, A_VENIR, EPUISEE ou ACTIVE.';
comment on column abonnement.souscription_vue.reliquat_a_decider is 'Vrai d''un abonnement expiré dont il reste des unités.';
call core.peut_etre_null('abonnement.souscription_vue', 'id_prestation', 'prestation_libelle', 'id_categorie_plat',
  'max_par_jour');
call core.jamais_null('abonnement.souscription_vue', 'quota', 'solde', 'consomme_aujourdhui', 'etat',
  'reliquat_a_decider');

create view abonnement.souscription_detail_vue as
select s.*, array(select m from abonnement.mouvement_vue m
                   where m.id_souscription = s.id_souscription order by m.id_mouvement) as mouvements
  from abonnement.souscription_vue s;
comment on view abonnement.souscription_detail_vue is 'Abonnement vendu et ses mouvements, du premier au dernier.';

create function abonnement._souscription_verrouiller(p_id_souscription bigint)
returns abonnement.souscription_detail_vue
language plpgsql volatile as $$
begin
  perform abonnement.souscription_detail(p_id_souscription);
  perform from abonnement.souscription s where s.id_souscription = p_id_souscription for no key update;
  return abonnement.souscription_detail(p_id_souscription);
end $$;
comment on function abonnement._souscription_verrouiller is
  'Verrouille un abonnement et le rend tel qu''il est alors. Refuse NOT_FOUND.';

call core.transitions('abonnement.souscription', 'ACTIVE: RESILIEE ANNULEE', 'RESILIEE: ANNULEE');

create trigger t10_souscription_auteur before insert on abonnement.souscription
  for each row execute function core._t10_auteur();

-- A note goes with the data of an erased client.
call core.figer('SOUSCRIPTION_FIGEE',
  'Un abonnement vendu garde son client, son offre, son quota, son prix et ses dates, et ne s''efface pas.',
  'before delete or update of id_souscription, id_client, id_offre, quota, prix, date_debut, date_fin, id_facture,
    paiement_partiel_autorise_par, id_utilisateur, date_creation on abonnement.souscription',
  'note: before update of note on abonnement.souscription when (new.note is not null)');
