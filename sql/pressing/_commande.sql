-- Laundry orders: the views, the total and the transitions. The invoice holds the money.

call core.transitions('pressing.commande', 'EN_ATTENTE: DEPOSE ANNULEE', 'DEPOSE: EN_TRAITEMENT ANNULEE',
  'EN_TRAITEMENT: PRET ANNULEE', 'PRET: RETIRE ANNULEE');

create view pressing.commande_ligne_vue as
select l.id_ligne, l.id_commande, l.type_vetement, l.quantite, l.prestation, l.tarif, l.poids_kg, l.prix_kg, l.total,
       l.hors_catalogue, round(l.couvert, case when l.poids_kg is null then 2 else 3 end) as couvert
  from pressing.commande_ligne l;
comment on view pressing.commande_ligne_vue is 'Linge des commandes.';
comment on column pressing.commande_ligne_vue.poids_kg is 'Poids en kilogrammes, null si la ligne se compte à la pièce.';
comment on column pressing.commande_ligne_vue.prix_kg is 'Prix du kilo à la dépose, null si la ligne se compte à la pièce.';
call core.jamais_null('pressing.commande_ligne_vue', 'couvert');

create view pressing.commande_vue as
select c.id_commande, c.id_client, c.numero_commande, coalesce(c.date_depot, c.date_demande) as date_depot,
       c.date_retrait_prevue, c.date_retrait_reelle, c.montant_total,
       coalesce(f.montant_paye, 0)::core.montant as acompte,
       case when c.statut = 'ANNULEE' or c.statut = 'RETIRE' and f.id_facture is null then 0
            else coalesce(f.reste, c.montant_total - c.montant_couvert) end::core.montant as reste_a_payer,
       c.statut, c.mode_tarification, k.nom as client_nom, k.prenoms as client_prenoms, k.tel_principal as client_tel,
       f.id_facture, c.montant_couvert, c.origine, c.date_depot_souhaitee, c.notes, c.motif_annulation
  from pressing.commande c
  join client.client k on k.id_client = c.id_client
  left join facturation.facture f
    on f.source_type = 'COMMANDE_PRESSING' and f.source_id = c.id_commande and not f.annulee
 where (select pressing._visible());
comment on view pressing.commande_vue is 'Commandes de pressing ; aucune pour qui est limité à une autre activité.';
comment on column pressing.commande_vue.numero_commande is 'Numéro CPR-<AAAA>-<NNNN>, donné à la dépose, ou à la demande.';
comment on column pressing.commande_vue.date_depot is 'Moment de la demande, tant que le linge n''est pas là.';
comment on column pressing.commande_vue.date_retrait_reelle is 'Moment où le client a repris son linge, null avant.';
comment on column pressing.commande_vue.montant_total is 'Somme des lignes.';
comment on column pressing.commande_vue.acompte is 'Ce que le client a payé jusqu''ici.';
comment on column pressing.commande_vue.reste_a_payer is 'montant_total − montant_couvert − acompte, moins les avoirs de sa facture ; 0 pour une commande annulée, ou retirée et dont la facture est annulée.';
comment on column pressing.commande_vue.id_facture is 'Facture de la commande, null tant que rien n''est payé, ou si des abonnements la paient en entier.';
call core.peut_etre_null('pressing.commande_vue', 'id_facture');
call core.jamais_null('pressing.commande_vue', 'date_depot', 'acompte', 'reste_a_payer');

create view pressing.commande_detail_vue as
select c.*, array(select l from pressing.commande_ligne_vue l
                   where l.id_commande = c.id_commande order by l.id_ligne) as lignes
  from pressing.commande_vue c;
comment on view pressing.commande_detail_vue is 'Commande de pressing et son linge.';

call core.verrouillage('pressing._commande_verrouiller', 'pressing.commande', 'id_commande', 'pressing._activite()');
comment on function pressing._commande_verrouiller is 'Verrouille une commande. Refuse NOT_FOUND.';

create function pressing._commande_passer(
  p_id_commande bigint, p_statut pressing.statut_commande, p_motif core.texte default null)
returns pressing.commande_detail_vue
language plpgsql volatile as $$
declare
  v pressing.commande := pressing._commande_verrouiller(p_id_commande);
begin
  -- The transition trigger allows an update that keeps the state. The second of two callers must get an error.
  if v.statut = p_statut then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
                         format('La commande %s est déjà à l''état %s.', v.numero_commande,
                                core.etat_ecrire(p_statut::text)),
                         jsonb_build_object('de', v.statut, 'vers', p_statut));
  end if;
  update pressing.commande c
     set statut = p_statut, motif_annulation = p_motif,
         date_retrait_reelle = case p_statut when 'RETIRE' then coalesce(core.moment(), now()) end
   where c.id_commande = p_id_commande;
  return pressing.commande_detail(p_id_commande);
end $$;
comment on function pressing._commande_passer is
  'Fait passer une commande à un état qu''elle n''a pas ; le motif est celui d''une annulation. Refuse NOT_FOUND, TRANSITION_INTERDITE.';
-- Only a cancellation requires an order without an invoice.
call core.ne_refuse_pas('pressing._commande_passer', 'COMMANDE_FACTUREE');

create function pressing._commande_sans_facture(p_id_commande bigint) returns void
language plpgsql stable as $$
begin
  if facturation._source_facturee('COMMANDE_PRESSING', p_id_commande) then
    perform core.refuser(409, 'COMMANDE_FACTUREE',
                         'Cette commande a sa facture : elle ne s''annule plus, et garde ses lignes et son client.');
  end if;
end $$;
comment on function pressing._commande_sans_facture is 'Veille à ce qu''une commande n''ait pas de facture. Refuse COMMANDE_FACTUREE.';

create function pressing._commande_sans_abonnement(p_id_commande bigint) returns void
language plpgsql stable as $$
begin
  if exists (select from pressing.commande_ligne l where l.id_commande = p_id_commande and l.couvert > 0) then
    perform core.refuser(409, 'COMMANDE_COUVERTE',
      'Des abonnements paient cette commande : elle garde ses lignes et son client. Annulez-la et refaites-la.');
  end if;
end $$;
comment on function pressing._commande_sans_abonnement is
  'Veille à ce qu''une commande n''ait rien pris à des abonnements. Refuse COMMANDE_COUVERTE.';

create function pressing._t10_commande_remplir() returns trigger
language plpgsql volatile as $$
declare
  v_annee integer := extract(year from core.aujourdhui());
begin
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  if new.statut = 'EN_ATTENTE' then
    new.date_demande := now();
  else
    new.date_depot := coalesce(core.moment(), new.date_depot, now());
  end if;
  new.numero_commande := format('CPR-%s-%s', v_annee, core._chiffres(core._rang('CPR', v_annee), 4));
  return new;
end $$;
comment on function pressing._t10_commande_remplir is 'Auteur, numéro et date de la commande : celle de la dépose, ou de la demande.';

create trigger t10_commande_remplir before insert on pressing.commande
  for each row execute function pressing._t10_commande_remplir();

create function pressing._t20_commande_figee() returns trigger
language plpgsql volatile as $$
begin
  if old.statut not in ('EN_ATTENTE', 'DEPOSE') then
    perform core.refuser(409, 'COMMANDE_COMMENCEE',
                         format('La commande %s est à l''état %s : elle ne se modifie plus.', old.numero_commande,
                                core.etat_ecrire(old.statut::text)));
  elsif new.id_client <> old.id_client then
    perform pressing._commande_sans_facture(old.id_commande);
    perform pressing._commande_sans_abonnement(old.id_commande);
  end if;
  return new;
end $$;
comment on function pressing._t20_commande_figee is
  'Une commande se modifie avant son traitement, et garde son client une fois facturée, ou payée par des abonnements.';

create trigger t20_commande_commencee before update of id_client, date_retrait_prevue on pressing.commande
  for each row execute function pressing._t20_commande_figee();

-- The acceptance of a request writes the date and the author.
call core.figer('COMMANDE_DEPOSEE',
  'Le numéro, la date et l''auteur d''une commande restent, ses lignes ne changent pas de commande, et elle ne s''efface pas.',
  'identite: before delete or update of id_commande, numero_commande, date_demande on pressing.commande',
  'before update of date_depot, id_utilisateur on pressing.commande when (old.date_depot is not null)',
  'before update of id_ligne, id_commande on pressing.commande_ligne');

create function pressing._t20_commande_annulee() returns trigger
language plpgsql volatile as $$
begin
  perform pressing._commande_sans_facture(new.id_commande);
  return new;
end $$;
comment on function pressing._t20_commande_annulee is 'Une commande ne s''annule que tant qu''elle n''a pas de facture.';

-- By its name after the trigger of the transitions, which first refuses a transition that does not exist.
create trigger t30_commande_annulee before update of statut on pressing.commande
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE')
  execute function pressing._t20_commande_annulee();

create function pressing._t20_commande_ligne_figee() returns trigger
language plpgsql volatile as $$
declare
  v pressing.commande;
begin
  -- The lines of a new order are inserted just before it. If the order already exists, the statement changes it.
  select * into v from pressing.commande c
   where c.id_commande = case tg_op when 'INSERT' then new.id_commande else old.id_commande end;
  if v.statut <> 'DEPOSE' then
    perform core.refuser(409, 'COMMANDE_COMMENCEE',
                         format('La commande %s est à l''état %s : elle ne se modifie plus.', v.numero_commande,
                                core.etat_ecrire(v.statut::text)));
  end if;
  perform pressing._commande_sans_facture(v.id_commande);
  perform pressing._commande_sans_abonnement(v.id_commande);
  return case tg_op when 'DELETE' then old else new end;
end $$;
comment on function pressing._t20_commande_ligne_figee is 'Les lignes changent avant le traitement et avant la facture, si des abonnements n''en paient rien.';

create trigger t20_commande_commencee_figee before insert or delete or update of type_vetement, quantite, prestation,
  tarif, poids_kg, prix_kg, hors_catalogue, total on pressing.commande_ligne
  for each row execute function pressing._t20_commande_ligne_figee();

create trigger t20_commande_commencee before update of couvert on pressing.commande_ligne
  for each row when (old.couvert > 0) execute function pressing._t20_commande_ligne_figee();

create trigger t20_ligne_maximale before insert or update of quantite, tarif on pressing.commande_ligne
  for each row when (new.quantite * new.tarif > 1000000 or new.tarif > 1000000)
  execute function core._t20_ligne_maximale('quantite', 'tarif');

create trigger t20_ligne_pesee_maximale before insert or update of poids_kg, prix_kg on pressing.commande_ligne
  for each row when (new.poids_kg * new.prix_kg > 1000000)
  execute function core._t20_ligne_maximale('poids_kg', 'prix_kg');

create function pressing._t50_commande_ligne_total() returns trigger
language plpgsql volatile as $$
begin
  new.total := case when new.poids_kg is null then round(new.quantite * new.tarif, 2)
                    else core.arrondir(new.poids_kg * new.prix_kg) end;
  return new;
end $$;
comment on function pressing._t50_commande_ligne_total is
  'total = quantite × tarif, tous deux saisis, ou poids_kg × prix_kg arrondi à l''unité de la devise, quoi qu''on écrive.';

create trigger t50_commande_ligne_total before insert or update of quantite, tarif, poids_kg, prix_kg, total
  on pressing.commande_ligne for each row execute function pressing._t50_commande_ligne_total();

create function pressing._ligne_due(p_ligne pressing.commande_ligne, p_couvert numeric) returns numeric
language sql stable
return case when p_ligne.poids_kg is null then round((p_ligne.quantite - p_couvert) * p_ligne.tarif, 2)
            else core.arrondir((p_ligne.poids_kg - p_couvert) * p_ligne.prix_kg) end;
comment on function pressing._ligne_due is 'Prix des unités d''une ligne que des abonnements ne paient pas.';

create function pressing._t20_commande_mode() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from pressing.commande_ligne l
              where l.id_commande = new.id_commande
                and (l.poids_kg is not null) <> (new.mode_tarification = 'POIDS')) then
    perform core.refuser(400, 'LIGNE_SELON_LE_MODE',
      'Une commande UNITAIRE a un tarif à chaque ligne, une commande POIDS un poids ; le mode se fixe à la dépose.');
  end if;
  return new;
end $$;
comment on function pressing._t20_commande_mode is
  'Les lignes d''une commande ont toutes un tarif ou toutes un poids, selon son mode. Refuse LIGNE_SELON_LE_MODE.';

-- The lines are inserted before a new order. Each later change of the lines writes montant_total.
create trigger t20_ligne_selon_le_mode before insert or update of mode_tarification, montant_total on pressing.commande
  for each row execute function pressing._t20_commande_mode();

create function pressing._t50_commande_sommer() returns trigger
language plpgsql volatile as $$
begin
  select coalesce(sum(l.total), 0), coalesce(sum(l.total - pressing._ligne_due(l, l.couvert)), 0)
    into new.montant_total, new.montant_couvert
    from pressing.commande_ligne l where l.id_commande = new.id_commande;
  return new;
end $$;
comment on function pressing._t50_commande_sommer is 'montant_total = somme des lignes, et montant_couvert = ce que des abonnements en paient, quoi qu''on écrive.';

create trigger t50_commande_sommer before insert or update of montant_total, montant_couvert on pressing.commande
  for each row execute function pressing._t50_commande_sommer();

create trigger t60_total_maximal before insert or update of montant_total on pressing.commande
  for each row when (new.montant_total > 1000000) execute function core._t60_montant_maximal('montant_total');

create function pressing._t50_commande_ligne_changee() returns trigger
language plpgsql volatile as $$
begin
  update pressing.commande c set montant_total = default -- t50_commande_sommer writes the sum
   where c.id_commande in (select l.id_commande from changees l);
  return null;
end $$;
comment on function pressing._t50_commande_ligne_changee is 'Fait recalculer les commandes dont les lignes changent.';

create trigger t50_commande_ligne_ajoutee after insert on pressing.commande_ligne
  referencing new table as changees for each statement execute function pressing._t50_commande_ligne_changee();
create trigger t50_commande_ligne_modifiee after update on pressing.commande_ligne
  referencing new table as changees for each statement execute function pressing._t50_commande_ligne_changee();
create trigger t50_commande_ligne_otee after delete on pressing.commande_ligne
  referencing old table as changees for each statement execute function pressing._t50_commande_ligne_changee();

create function pressing._t90_commande_prete() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'pressing.commande_prete', 'MEDIUM', 'Commande prête',
    format('La commande %s de %s %s est prête.', new.numero_commande, k.nom, k.prenoms),
    jsonb_build_object('id_commande', new.id_commande::text, 'numero_commande', new.numero_commande),
    'PRESSING.VOIR', null, facturation._activite('PRESSING'), null)
     from client.client k where k.id_client = new.id_client;
  return null;
end $$;
comment on function pressing._t90_commande_prete is 'Une commande prête se signale à ceux qui voient le pressing.';

create trigger t90_commande_prete after update of statut on pressing.commande
  for each row when (new.statut = 'PRET' and old.statut <> 'PRET') execute function pressing._t90_commande_prete();

create trigger t90_demande_creee after insert on pressing.commande
  for each row when (new.statut::text = 'EN_ATTENTE')
  execute function notification._t90_demande_creee(
    'pressing.demande_creee', 'Annonce de linge', 'PRESSING.VOIR', 'PRESSING', 'id_commande');
create trigger t90_demande_suivie after update of statut on pressing.commande
  for each row when (old.statut::text = 'EN_ATTENTE' and new.statut <> old.statut)
  execute function notification._t90_demande_suivie(
    'pressing.commande.statut', 'Votre demande au pressing', 'id_commande');
