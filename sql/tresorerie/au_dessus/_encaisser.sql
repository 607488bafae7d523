-- The money that a provider says an account received. A fact is the answer of the provider to our question, never a notice.
-- Locks, in this order: the demand, the transaction (its row is unique for the account), then the locks of the settlement.

create type tresorerie.fait as (
  etat text, reference text, transaction text, montant numeric, frais numeric, devise text, date timestamptz,
  identifiant text, url text, qr text, motif text);
comment on type tresorerie.fait is
  'Réponse d''un fournisseur. ATTENTE, PAYEE, REFUSEE, EXPIREE : ce qu''il sait ; INCONNUE : il ne connaît pas ; PERDUE : sa réponse s''est perdue ; RIEN : rien ne lui est parvenu.';

create function tresorerie._unites(p_unite tresorerie.unite_montant) returns integer
language sql immutable parallel safe
return case p_unite when 'CENTIEME' then 100 else 1 end;
comment on function tresorerie._unites is 'Combien d''unités d''un fournisseur font un franc.';

create function tresorerie._fait(p_fait text, p_id_compte bigint, p_reference text) returns tresorerie.fait
language plpgsql stable as $$
declare
  v tresorerie.fait := jsonb_populate_record(null::tresorerie.fait, p_fait::jsonb);
  v_unites constant integer := (
    select tresorerie._unites(a.unite) from tresorerie.acces a where a.id_compte = p_id_compte);
  v_defaut text;
begin
  v.montant := v.montant / v_unites;
  v.frais := v.frais / v_unites;
  v_defaut := case
    when v.reference <> p_reference then 'Le fournisseur a répondu pour une autre demande.'
    when v.etat = 'PAYEE' and num_nulls(v.transaction, v.montant, v.devise) > 0 then
      'Le fournisseur dit payé sans dire combien, ni par quelle transaction.'
    when v.etat = 'PAYEE' and (v.montant, coalesce(v.frais, 0)) <> (round(v.montant, 2), round(coalesce(v.frais, 0), 2))
      then 'Le fournisseur a répondu un montant illisible.' end;
  return case when v_defaut is null then v else jsonb_populate_record(
    null::tresorerie.fait, jsonb_build_object('etat', 'PERDUE', 'motif', v_defaut)) end;
end $$;
comment on function tresorerie._fait is
  'Réponse d''un fournisseur en francs. Celle qui se contredit, ou parle d''une autre référence, ne vaut rien : PERDUE.';

create function tresorerie._date_du_fait(p_compte tresorerie.compte, p_date timestamptz) returns timestamptz
language sql stable
return case when p_date <= now()
                 and core.jour(p_date) >= greatest((p_compte).depuis, date_trunc('month', core.aujourdhui()::timestamp))
            then p_date else now() end;
comment on function tresorerie._date_du_fait is
  'Moment que dit le fournisseur, du mois en cours et des jours du compte ; sinon maintenant : un mois passé peut être clôturé.';

create function tresorerie._ecart(p_demande tresorerie.demande, p_fait tresorerie.fait) returns text
language sql immutable parallel safe
return case when (p_demande).id_demande is null then 'Aucune demande de ce compte ne porte cette référence.'
            when (p_demande).statut = 'PAYEE' then 'La demande est déjà payée.'
            when (p_demande).statut = 'ANNULEE' then 'La demande est annulée.'
            when not tresorerie._en_cours((p_demande).statut) then 'L''argent vient après la fin de la demande.'
            when (p_fait).montant < (p_demande).montant then 'Le montant reçu est plus petit que la demande.'
            when (p_fait).montant > (p_demande).montant then 'Le montant reçu est plus grand que la demande.' end;
comment on function tresorerie._ecart is 'Pourquoi cet argent ne règle pas cette demande, null s''il la règle.';

create function tresorerie._categorie_des_frais() returns bigint
language sql volatile
return finances._categorie_tenir(coalesce(core.parametre('CATEGORIE_FRAIS_PAIEMENT'), 'Frais de paiement'));
comment on function tresorerie._categorie_des_frais is
  'Catégorie de dépense des frais des fournisseurs, du nom que donne le paramètre CATEGORIE_FRAIS_PAIEMENT ; créée à la première.';

create function tresorerie._facture_du_code(p_compte tresorerie.compte, p_reference text) returns bigint
language sql stable
return (select f.id_facture from facturation.facture f
         where f.numero = p_reference and f.id_activite = coalesce((p_compte).id_activite, f.id_activite));
comment on function tresorerie._facture_du_code is
  'Facture dont le numéro est la référence de cet argent : le code imprimé sur elle la nomme, sans demande.';

create function tresorerie._encaissement_livrer(
  p_encaissement tresorerie.encaissement, p_demande tresorerie.demande, p_ecart text)
returns tresorerie.encaissement
language plpgsql volatile as $$
declare
  v tresorerie.encaissement := p_encaissement;
  v_compte tresorerie.compte;
  v_cible tresorerie.cible;
  v_id_facture bigint := (p_demande).id_facture;
  v_date timestamptz;
begin
  select * into strict v_compte from tresorerie.compte c where c.id_compte = v.id_compte;
  v_date := tresorerie._date_du_fait(v_compte, v.date);
  v.motif := p_ecart;
  if (p_demande).id_demande is null then
    v_id_facture := tresorerie._facture_du_code(v_compte, v.reference);
    v.motif := case when v_id_facture is null then p_ecart end;
  end if;
  begin
    if num_nonnulls(v_id_facture, (p_demande).source_id) > 0 then
      v_cible := tresorerie._cible(v_id_facture, (p_demande).source_type, (p_demande).source_id);
    end if;
    if v.motif is null then
      v.id_paiement := tresorerie._payer(v_cible, v.montant, v_compte.id_moyen, v_date, v.transaction);
    end if;
  exception when sqlstate 'HT000' or no_data_found then
    v.motif := case when sqlstate like 'HT%' then sqlerrm else 'Ce que la demande payait n''est plus dû.' end;
  end;
  if v.id_paiement is null then
    insert into finances.paiement as p (date, montant, id_moyen, id_activite, id_client, motif, reference)
    values (v_date, v.montant, v_compte.id_moyen, coalesce((p_demande).id_activite, v_compte.id_activite),
            v_cible.id_client, 'À affecter : ' || v.motif, v.transaction)
    returning p.id_paiement into v.id_paiement;
  end if;
  if v.frais > 0 then
    insert into finances.depense as d (montant, id_categorie_depense, libelle, date, id_activite, id_compte)
    values (v.frais, tresorerie._categorie_des_frais(), left('Frais de la transaction ' || v.transaction, 200), v_date,
            coalesce((p_demande).id_activite, v_compte.id_activite), v.id_compte)
    returning d.id_depense into v.id_depense;
  end if;
  return v;
exception when sqlstate 'HT000' or no_data_found or integrity_constraint_violation then
  -- The books refuse the money now: its method is closed, for instance. The next look tries again.
  v := p_encaissement;
  v.motif := case when sqlstate like 'HT%' then sqlerrm else 'Les livres ne prennent pas encore cet argent.' end;
  return v;
end $$;
comment on function tresorerie._encaissement_livrer is
  'Porte un encaissement aux livres : le paiement de sa demande ou de la facture qu''il nomme, sinon un paiement qui ne règle rien, au client s''il est connu ; et la dépense de ses frais.';

create function tresorerie._encaisser(p_id_compte bigint, p_demande tresorerie.demande, p_fait tresorerie.fait)
returns tresorerie.encaissement
language plpgsql volatile as $$
declare
  v tresorerie.encaissement;
  v_ecart text;
begin
  insert into tresorerie.encaissement (id_compte, transaction, reference, montant, frais, devise, date, motif)
  values (p_id_compte, p_fait.transaction, p_fait.reference, p_fait.montant, coalesce(p_fait.frais, 0), p_fait.devise,
          coalesce(p_fait.date, now()), 'À affecter.')
  on conflict on constraint encaissement_existant do nothing;
  select * into strict v from tresorerie.encaissement e
   where e.id_compte = p_id_compte and e.transaction = p_fait.transaction for no key update;
  if v.id_paiement is not null then
    return v;
  end if;
  if v.devise <> tresorerie._devise() then
    v.motif := format('Cet argent est en %s : il ne s''ajoute pas aux livres.', v.devise);
  else
    v_ecart := tresorerie._ecart(p_demande, p_fait);
    v := tresorerie._encaissement_livrer(v, p_demande, v_ecart);
  end if;
  v.id_demande := case when v.id_paiement is not null and v.motif is null then (p_demande).id_demande end;
  update tresorerie.encaissement e
     set (id_demande, id_paiement, id_depense, motif) = row(v.id_demande, v.id_paiement, v.id_depense, v.motif)
   where e.id_encaissement = v.id_encaissement;
  if v.motif is not null then
    perform notification._emettre('encaissement.a_affecter', 'HIGH', 'Argent à affecter',
      format('%s reçus, transaction %s. %s', core.montant_ecrire(v.montant), v.transaction, v.motif),
      jsonb_build_object('id_encaissement', v.id_encaissement::text), 'FINANCES.VOIR', null,
      (select c.id_activite from tresorerie.compte c where c.id_compte = p_id_compte), null);
  end if;
  return v;
end $$;
comment on function tresorerie._encaisser is
  'Une transaction d''un compte, une seule fois : elle règle sa demande, ou elle est à affecter et se dit.';

create function tresorerie._constater(p_id_demande bigint, p_fait tresorerie.fait) returns tresorerie.encaissement
language plpgsql volatile as $$
declare
  v tresorerie.demande;
  v_encaissement tresorerie.encaissement;
  v_statut tresorerie.statut_demande;
begin
  select * into strict v from tresorerie.demande d where d.id_demande = p_id_demande for no key update;
  if p_fait.etat = 'PAYEE' then
    v_encaissement := tresorerie._encaisser(v.id_compte, v, p_fait);
  end if;
  if tresorerie._en_cours(v.statut) then
    v_statut := case
      when p_fait.etat = 'PAYEE' and v_encaissement.id_demande = v.id_demande then 'PAYEE'
      when p_fait.etat = 'PAYEE' then 'INCERTAINE'
      when p_fait.etat in ('REFUSEE', 'EXPIREE') then p_fait.etat
      when p_fait.etat in ('ATTENTE', 'INCONNUE') and v.expire_le < now() then 'EXPIREE'
      when p_fait.etat = 'ATTENTE' then 'ENVOYEE'
      when p_fait.etat = 'INCONNUE' then case v.statut when 'ENVOYEE' then 'INCERTAINE' else 'CREEE' end
      when p_fait.etat = 'PERDUE' then case v.statut when 'CREEE' then 'INCERTAINE' else v.statut::text end
      else v.statut::text end::tresorerie.statut_demande;
    update tresorerie.demande d
       set (statut, identifiant, url, qr, motif)
         = row(v_statut, coalesce(p_fait.identifiant, d.identifiant), coalesce(p_fait.url, d.url),
               coalesce(p_fait.qr, d.qr), coalesce(v_encaissement.motif, p_fait.motif))
     where d.id_demande = p_id_demande;
  end if;
  return v_encaissement;
end $$;
comment on function tresorerie._constater is
  'Ce que le fournisseur dit d''une demande devient son état, et l''argent qu''il a reçu va aux livres.';
