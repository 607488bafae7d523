create view restaurant.commande_ligne_vue as
select l.id_ligne, l.id_commande, l.id_plat, p.nom as plat, l.quantite, l.prix_unitaire, l.total
  from restaurant.commande_ligne l
  join restaurant.plat p on p.id_plat = l.id_plat;
comment on view restaurant.commande_ligne_vue is 'Lignes des commandes du restaurant.';

create view restaurant.commande_vue as
select x.id_commande, x.id_client, x.date, x.type, x.total, x.statut, x.id_utilisateur,
       c.nom as client_nom, c.prenoms as client_prenoms,
       (select max(f.id_facture) from facturation.facture f
         where f.source_type = 'COMMANDE_RESTAURANT' and f.source_id = x.id_commande) as id_facture,
       x.montant_couvert, x.origine, x.adresse_livraison, x.notes, x.motif_annulation
  from restaurant.commande x
  left join client.client c on c.id_client = x.id_client
 where (select restaurant._visible());
comment on view restaurant.commande_vue is 'Commandes du restaurant.';
comment on column restaurant.commande_vue.total is 'Somme des lignes.';
comment on column restaurant.commande_vue.id_facture is 'Facture de la commande, null si elle n''est pas réglée, ou si des abonnements la paient en entier.';
call core.peut_etre_null('restaurant.commande_vue', 'client_nom', 'client_prenoms', 'id_facture');

create view restaurant.commande_detail_vue as
select x.*, array(select l from restaurant.commande_ligne_vue l
                   where l.id_commande = x.id_commande order by l.id_ligne) as lignes
  from restaurant.commande_vue x;
comment on view restaurant.commande_detail_vue is 'Commande du restaurant et ses lignes.';

call core.verrouillage('restaurant._commande_verrouiller', 'restaurant.commande', 'id_commande',
  'restaurant.commande_detail(p_id_commande)');
comment on function restaurant._commande_verrouiller is 'Verrouille une commande. Refuse NOT_FOUND.';

call core.transitions('restaurant.commande', 'EN_ATTENTE: EN_COURS ANNULEE', 'EN_COURS: EN_PREPARATION PAYEE ANNULEE',
  'EN_PREPARATION: SERVIE PAYEE ANNULEE', 'SERVIE: PAYEE ANNULEE', 'PAYEE: ANNULEE');

create trigger t20_annulation_sans_remboursement before update of statut on restaurant.commande
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE'
                     and facturation._source_facturee('COMMANDE_RESTAURANT', new.id_commande))
  execute function core._t20_refuser(
    '409', 'ANNULATION_SANS_REMBOURSEMENT', 'Une commande réglée ou facturée s''annule par l''opération qui rend ce qui l''a payée.');

create function restaurant._t20_commande_payee() returns trigger
language plpgsql volatile as $$
begin
  if new.montant_couvert is null then
    perform core.refuser(409, 'COMMANDE_NON_REGLEE', 'Cette commande n''est pas payée : encaissez-la.');
  elsif old.montant_couvert is not null and old.statut <> 'SERVIE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
                         'Une commande déjà réglée passe par « servie » avant d''être close.',
                         jsonb_build_object('de', old.statut, 'vers', new.statut));
  end if;
  return new;
end $$;
comment on function restaurant._t20_commande_payee is
  'Une commande devient PAYEE quand elle s''encaisse, ou servie si elle était réglée d''avance. Refuse COMMANDE_NON_REGLEE, TRANSITION_INTERDITE.';

-- By its name after the trigger of the transitions, which first refuses a transition that does not exist.
create trigger t30_commande_payee before update of statut on restaurant.commande
  for each row when (new.statut = 'PAYEE' and old.statut <> 'PAYEE') execute function restaurant._t20_commande_payee();

-- The lines of an order are inserted just before it. A line whose order already exists is refused.
create function restaurant._t20_commande_figee() returns trigger
language plpgsql volatile as $$
begin
  if tg_op <> 'INSERT' or exists (select from restaurant.commande x where x.id_commande = new.id_commande) then
    perform core.refuser(409, 'COMMANDE_FIGEE', 'Une commande passée ne change plus : annulez-la et refaites-la.');
  end if;
  return new;
end $$;
comment on function restaurant._t20_commande_figee is 'Refuse de réécrire ou d''effacer une commande et ses lignes, son état excepté.';

create trigger t20_commande_figee before delete or update of id_commande, date, id_client, type, total, id_utilisateur
  on restaurant.commande for each row execute function restaurant._t20_commande_figee();

create trigger t20_commande_figee_reglee before update of montant_couvert on restaurant.commande
  for each row when (old.montant_couvert is not null) execute function restaurant._t20_commande_figee();

create trigger t20_commande_figee before insert or update or delete on restaurant.commande_ligne
  for each row execute function restaurant._t20_commande_figee();

create trigger t20_ligne_maximale before insert or update of quantite, prix_unitaire on restaurant.commande_ligne
  for each row when (new.quantite * new.prix_unitaire > 1000000 or new.prix_unitaire > 1000000)
  execute function core._t20_ligne_maximale('quantite', 'prix_unitaire');

create trigger t10_commande_auteur before insert on restaurant.commande
  for each row execute function core._t10_auteur();

create function restaurant._t50_commande_sommer() returns trigger
language plpgsql volatile as $$
begin
  new.total := (
    select coalesce(sum(l.total), 0) from restaurant.commande_ligne l where l.id_commande = new.id_commande);
  return new;
end $$;
comment on function restaurant._t50_commande_sommer is 'total = somme des lignes.';

create trigger t50_commande_sommer before insert on restaurant.commande
  for each row execute function restaurant._t50_commande_sommer();

create trigger t60_total_maximal before insert or update of total on restaurant.commande
  for each row when (new.total > 1000000) execute function core._t60_montant_maximal('total');

create trigger t90_demande_creee after insert on restaurant.commande
  for each row when (new.statut::text = 'EN_ATTENTE')
  execute function notification._t90_demande_creee(
    'restaurant.demande_creee', 'Commande au restaurant', 'RESTAURANT.VOIR', 'RESTAURATION', 'id_commande');
create trigger t90_demande_suivie after update of statut on restaurant.commande
  for each row when (old.statut::text = 'EN_ATTENTE' and new.statut <> old.statut)
  execute function notification._t90_demande_suivie(
    'restaurant.commande.statut', 'Votre commande au restaurant', 'id_commande');
