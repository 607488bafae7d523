-- The triggers of a payment and of what it settles, which every settlement fires. As in _facture.sql, no WHEN and no
-- CHECK: the rules stand in the bodies.

create function finances._t20_paiement_ecrire() returns trigger
language plpgsql volatile as $$
declare
  v_actif boolean;
  v_credit boolean;
begin
  select m.actif, m.credit into v_actif, v_credit from finances.moyen_paiement m where m.id_moyen = new.id_moyen;
  if tg_op = 'INSERT' then
    new.jour := core.jour(new.date);
    new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
    new.credit := coalesce(v_credit, false);
    new.id_caisse := case when not new.credit then coalesce(core.caisse(), new.id_caisse) end;
    new.id_periode := null;
    if new.id_caisse is null then
      new.id_activite := facturation._activite_permise(new.id_activite);
    else
      if new.type = 'ENCAISSEMENT' then
        perform finances._caisse_ouvrir_automatiquement(new.id_caisse);
      end if;
      new.id_periode := finances._periode_ouverte(new.id_caisse);
      new.id_activite := facturation._activite_permise(coalesce(new.id_activite, (
        select c.id_activite from finances.caisse c where c.id_caisse = new.id_caisse)));
      perform finances._caisse_verifier(new.id_caisse, new.id_periode, new.id_activite, new.jour);
    end if;
    if new.id_paiement_origine is not null then
      perform residence._caution_refuser(new.id_paiement_origine);
      perform finances._contraire_exiger(new);
    elsif new.annulation then
      perform core.refuser(400, 'ANNULATION_D_UN_PAIEMENT', 'Une annulation nomme le paiement qu''elle annule.');
    end if;
  end if;
  -- Rare conditions stand inside a short one, as in _facture.sql.
  if new.date > now() then
    if new.jour > core.aujourdhui() then
      perform core.refuser(400, 'DATE_FUTURE', 'La date du paiement est dans le futur.');
    end if;
  end if;
  -- A counter-payment may use the method of the original payment, even if it is inactive now. Money may be taken back
  -- from the credit of a client.
  if not v_actif then
    if new.id_moyen is distinct from old.id_moyen
       and not (new.type = 'ENCAISSEMENT' and new.id_paiement_origine is not null)
       and not exists (select from finances.paiement o
                        where o.id_paiement = new.id_paiement_origine and o.id_moyen = new.id_moyen) then
      perform core.refuser(409, 'MOYEN_PAIEMENT_INACTIF', 'Ce moyen de paiement est désactivé.');
    end if;
  end if;
  if tg_op = 'INSERT' then
    if new.credit and new.id_client is null then
      perform core.refuser(400, 'CREDIT_SANS_CLIENT', 'Le crédit client ne paie que la facture d''un client.');
    end if;
    -- MONTANT_MAXIMAL is at least one million. A refund may be as large as its payment, whatever the present limit is.
    if new.montant > 1000000 and new.id_paiement_origine is null then
      perform core._montant_verifier('montant', new.montant);
    end if;
    if new.jour < core.jour(clock_timestamp()) then
      perform compta._ouverte_exiger(new.jour);
    end if;
  end if;
  return new;
end $$;
comment on function finances._t20_paiement_ecrire is
  'Jour, auteur, caisse (celle de l''utilisateur d''abord, aucune pour un crédit), période ouverte (par le premier encaissement si OUVERTURE_AUTOMATIQUE le veut), activité (donnée, sinon celle de la caisse, sinon celle de l''utilisateur) d''un nouveau paiement. Refuse une date future ou d''un mois clôturé, un moyen de paiement désactivé, un crédit sans client, un montant trop grand.';
-- Without a date, the payment is dated now.
call core.ne_refuse_que('finances._t20_paiement_ecrire', 'date', 'DATE_FUTURE', 'PERIODE_CLOTUREE');
-- A guard: no operation does this.
call core.ne_refuse_pas('finances._t20_paiement_ecrire', 'ANNULATION_D_UN_PAIEMENT');

create trigger t20_paiement_ecrire before insert or update of date, id_moyen on finances.paiement
  for each row execute function finances._t20_paiement_ecrire();

create function finances._t50_paiement_suivre() returns trigger
language plpgsql volatile as $$
begin
  if new.id_client is not null then
    perform audit._client_vivant_exiger(new.id_client);
    if new.credit then
      insert into finances.mouvement_credit (id_client, montant, id_paiement)
      values (new.id_client, finances._sortie(new), new.id_paiement);
    end if;
  end if;
  -- SEUIL_PAIEMENT_IMPORTANT is at least 100000.
  if new.montant >= 100000 then
    perform notification._paiement_important(new);
  end if;
  -- A new invoice is inserted after its payment, and adds it up itself.
  if new.id_facture is not null then
    update facturation.facture f set montant_paye = f.montant_paye - finances._sortie(new)
     where f.id_facture = new.id_facture;
  end if;
  return null;
end $$;
comment on function finances._t50_paiement_suivre is
  'Prend au crédit du client ce qu''un nouveau paiement y puise, ou l''y rend, signale un paiement important, et l''ajoute à montant_paye de la facture qu''il nomme. Refuse CLIENT_EFFACE, CREDIT_INSUFFISANT.';

create trigger t50_paiement_suivre after insert on finances.paiement
  for each row execute function finances._t50_paiement_suivre();

-- The applications of a new invoice are inserted before it: its own insertion adds them up.
create function finances._t50_application_regler() returns trigger
language plpgsql volatile as $$
declare
  v record;
begin
  if new.montant = 0 then
    perform core.refuser(400, 'APPLICATION_NON_NULLE', 'Une application de paiement n''est pas nulle.');
  end if;
  select p.type, p.montant, p.id_facture,
         (select sum(a.montant) from finances.application_paiement a where a.id_paiement = new.id_paiement) as applique,
         exists (select from residence.caution_evenement h where h.id_paiement = new.id_paiement) as caution,
         exists (select from facturation.facture f where f.id_facture = new.id_facture) as emise
    into v from finances.paiement p where p.id_paiement = new.id_paiement;
  if v.caution then
    perform residence._caution_refuser(new.id_paiement);
  end if;
  if v.id_facture is not null or not finances._applicable(v.type, v.montant, v.applique) then
    perform core.refuser(409, 'PAIEMENT_DEPASSE',
                         format('Le paiement %s règle plus que son montant.', new.id_paiement));
  end if;
  if v.emise then
    update facturation.facture f set montant_paye = f.montant_paye + new.montant where f.id_facture = new.id_facture;
  end if;
  return null;
end $$;
comment on function finances._t50_application_regler is
  'Un paiement ne règle jamais plus que son montant, à la main non plus ; ce qu''il règle s''ajoute à montant_paye de la facture. Refuse APPLICATION_NON_NULLE, PAIEMENT_DE_CAUTION, PAIEMENT_DEPASSE.';
-- Guards: operations apply amounts above zero, and no more than the payment.
call core.ne_refuse_pas('finances._t50_application_regler', 'APPLICATION_NON_NULLE', 'PAIEMENT_DEPASSE');

create trigger t50_application_regler after insert on finances.application_paiement
  for each row execute function finances._t50_application_regler();
