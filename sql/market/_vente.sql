create view market.vente_ligne_vue as
select l.id_ligne, l.id_vente, l.id_produit, p.nom as produit, l.quantite, l.prix_unitaire,
       0::core.montant as remise_ligne, l.total_ligne
  from market.vente_ligne l
  join market.produit p on p.id_produit = l.id_produit;
comment on view market.vente_ligne_vue is 'Lignes des ventes.';
comment on column market.vente_ligne_vue.remise_ligne is 'Toujours 0 : la remise porte sur la vente entière.';
call core.jamais_null('market.vente_ligne_vue', 'remise_ligne');

create view market.vente_vue as
select v.id_vente, v.id_client, v.date, v.remise, v.total, v.statut, v.id_utilisateur,
       c.nom as client_nom, c.prenoms as client_prenoms,
       (select max(f.id_facture) from facturation.facture f
         where f.source_type = 'VENTE' and f.source_id = v.id_vente) as id_facture,
       v.origine, v.note, v.motif_annulation
  from market.vente v
  left join client.client c on c.id_client = v.id_client
 where (select market._visible());
comment on view market.vente_vue is 'Ventes de la boutique.';
comment on column market.vente_vue.total is 'Somme des lignes moins la remise.';
comment on column market.vente_vue.id_facture is 'Facture de la vente, null tant qu''elle n''est pas encaissée.';
comment on column market.vente_vue.statut is 'EN_ATTENTE d''une demande, EN_COURS d''une demande acceptée, qui s''encaisse.';
call core.peut_etre_null('market.vente_vue', 'client_nom', 'client_prenoms', 'id_facture');

create view market.vente_detail_vue as
select v.*, array(select l from market.vente_ligne_vue l where l.id_vente = v.id_vente order by l.id_ligne) as lignes
  from market.vente_vue v;
comment on view market.vente_detail_vue is 'Vente et ses lignes.';

call core.verrouillage('market._vente_verrouiller', 'market.vente', 'id_vente', 'market.vente_detail(p_id_vente)');
comment on function market._vente_verrouiller is 'Verrouille une vente. Refuse NOT_FOUND.';

call core.transitions('market.vente', 'EN_ATTENTE: EN_COURS ANNULEE', 'EN_COURS: PAYEE ANNULEE', 'PAYEE: ANNULEE');

create trigger t20_annulation_sans_remboursement before update of statut on market.vente
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE'
                     and facturation._source_facturee('VENTE', new.id_vente))
  execute function core._t20_refuser(
    '409', 'ANNULATION_SANS_REMBOURSEMENT', 'Une vente facturée s''annule par l''opération qui rend son argent.');

-- The lines of a sale are inserted just before it. A line whose sale already exists is refused.
create function market._t20_vente_figee() returns trigger
language plpgsql volatile as $$
begin
  if tg_op <> 'INSERT' or exists (select from market.vente v where v.id_vente = new.id_vente) then
    perform core.refuser(409, 'VENTE_FIGEE', 'Une vente faite ne change plus : annulez-la et refaites-la.');
  end if;
  return new;
end $$;
comment on function market._t20_vente_figee is 'Refuse de réécrire ou d''effacer une vente et ses lignes, ou d''y ajouter une ligne.';

create trigger t20_vente_figee before delete or update of id_vente, date, id_client, remise, total, id_utilisateur
  on market.vente for each row execute function market._t20_vente_figee();

create trigger t20_vente_figee before insert or update or delete on market.vente_ligne
  for each row execute function market._t20_vente_figee();

create trigger t20_ligne_maximale before insert or update of quantite, prix_unitaire on market.vente_ligne
  for each row when (new.quantite * new.prix_unitaire > 1000000 or new.prix_unitaire > 1000000)
  execute function core._t20_ligne_maximale('quantite', 'prix_unitaire');

create trigger t10_vente_auteur before insert on market.vente
  for each row execute function core._t10_auteur();

create function market._t50_vente_sommer() returns trigger
language plpgsql volatile as $$
declare
  v_lignes numeric := (select coalesce(sum(l.total_ligne), 0)
                         from market.vente_ligne l where l.id_vente = new.id_vente);
begin
  if new.remise > v_lignes then
    perform core.refuser(400, 'REMISE_EXCESSIVE', 'La remise dépasse le prix de la vente.',
                         jsonb_build_object('montant', v_lignes::text));
  end if;
  new.total := v_lignes - new.remise;
  return new;
end $$;
comment on function market._t50_vente_sommer is 'total = lignes − remise. Refuse REMISE_EXCESSIVE.';
call core.ne_refuse_que('market._t50_vente_sommer', 'remise', 'REMISE_EXCESSIVE');

create trigger t50_vente_sommer before insert on market.vente
  for each row execute function market._t50_vente_sommer();

create trigger t60_total_maximal before insert or update of total on market.vente
  for each row when (new.total > 1000000) execute function core._t60_montant_maximal('total');

create trigger t90_demande_creee after insert on market.vente
  for each row when (new.statut::text = 'EN_ATTENTE')
  execute function notification._t90_demande_creee(
    'market.demande_creee', 'Commande à la boutique', 'MARCHANDISE.VOIR', 'VENTE_MARCHANDISES', 'id_vente');
create trigger t90_demande_suivie after update of statut on market.vente
  for each row when (old.statut::text = 'EN_ATTENTE' and new.statut <> old.statut)
  execute function notification._t90_demande_suivie('market.vente.statut', 'Votre commande à la boutique', 'id_vente');
