-- Payments of bills. The money leaves by an expense, under all rules of an expense: its till or its account, its day,
-- its count, its month. Money that a supplier gives back is a payment and an expense below zero. The ledger writes the
-- payment and not the expense.

create view achat.part_payee_vue as
select a.id_paiement, a.id_achat, f.numero::text as numero, f.numero_fournisseur::text as numero_fournisseur, a.montant
  from achat.application a
  join achat.facture f on f.id_achat = a.id_achat;
comment on view achat.part_payee_vue is 'Ce que les paiements règlent.';
comment on column achat.part_payee_vue.montant is 'Plus petit que zéro : pris de ce que le fournisseur doit sur cette facture.';
call core.jamais_null('achat.part_payee_vue', 'numero', 'numero_fournisseur');

create view achat.paiement_achat_vue as
select p.id_paiement, p.id_fournisseur, s.nom::text as fournisseur_nom, p.jour as date, p.montant, p.id_moyen,
       d.id_caisse, d.id_compte, p.id_depense, p.reference, p.date_annulation, p.id_utilisateur,
       array(select a from achat.part_payee_vue a where a.id_paiement = p.id_paiement order by a.id_achat) as factures
  from achat.paiement p
  join market.fournisseur s on s.id_fournisseur = p.id_fournisseur
  left join finances.depense d on d.id_depense = p.id_depense
 where (select market._visible()) and core._visible(d.id_caisse, (select core.caisse()))
   and core._visible(d.id_activite, (select core._activite_sans_caisse()));
comment on view achat.paiement_achat_vue is 'Paiements des factures d''achat.';
comment on column achat.paiement_achat_vue.fournisseur_nom is 'Nom du fournisseur.';
comment on column achat.paiement_achat_vue.date is 'Date de gestion.';
comment on column achat.paiement_achat_vue.id_caisse is 'Caisse d''où sort l''argent, ou qui le reçoit ; null d''un compte ou sans caisse.';
comment on column achat.paiement_achat_vue.id_compte is 'Compte hors caisse d''où sort l''argent, ou qui le reçoit.';
comment on column achat.paiement_achat_vue.factures is 'Ce qu''il règle.';
call core.null_comme('achat.paiement_achat_vue', 'achat.paiement');
call core.jamais_null('achat.paiement_achat_vue', 'fournisseur_nom');
call core.peut_etre_null('achat.paiement_achat_vue', 'id_caisse', 'id_compte');

create type achat.part_a_payer as (id_achat bigint, montant core.montant_signe);
comment on type achat.part_a_payer is 'Facture à payer, et combien.';
comment on column achat.part_a_payer.montant is
  'Null : tout ce qui en reste. Plus petit que zéro : pris de ce que le fournisseur doit sur elle.';
call core.peut_etre_null('achat.part_a_payer', 'montant');

create function achat._categorie_des_achats() returns bigint
language sql volatile
return finances._categorie_tenir(coalesce(core.parametre('CATEGORIE_ACHATS'), 'Fournisseurs'));
comment on function achat._categorie_des_achats is
  'Catégorie des dépenses qui paient les fournisseurs, du nom que donne le paramètre CATEGORIE_ACHATS ; créée à la première.';

create function achat._part_verifier(p_facture achat.facture, p_montant numeric) returns void
language plpgsql stable as $$
begin
  if (p_facture).statut = 'BROUILLON' then
    perform core.refuser(409, 'FACTURE_NON_VALIDEE', 'Un brouillon ne se paie pas : validez-le d''abord.',
                         jsonb_build_object('id_achat', (p_facture).id_achat::text));
  elsif (p_facture).jour is null then
    perform core.refuser(409, 'FACTURE_NON_VALIDEE', 'Ce brouillon est abandonné : il ne se paie pas.',
                         jsonb_build_object('id_achat', (p_facture).id_achat::text));
  elsif p_montant not between least((p_facture).reste, 0) and greatest((p_facture).reste, 0) then
    perform core.refuser(409, 'SURPAIEMENT',
      format('De la facture %s, il reste %s.', (p_facture).numero, core.montant_ecrire((p_facture).reste)),
      jsonb_build_object('id_achat', (p_facture).id_achat::text, 'reste', (p_facture).reste::text));
  end if;
end $$;
comment on function achat._part_verifier is 'Ne paie jamais plus qu''il n''est dû. Refuse FACTURE_NON_VALIDEE, SURPAIEMENT.';

create function achat._moyen_verifier(p_id_moyen bigint, p_id_compte bigint) returns void
language plpgsql stable as $$
begin
  if finances._est_credit(p_id_moyen) then
    perform core.refuser(400, 'MOYEN_DU_CREDIT', 'Le crédit des clients ne paie pas un fournisseur.');
  elsif exists (select from finances.moyen_paiement m where m.id_moyen = p_id_moyen and not m.actif) then
    perform core.refuser(409, 'MOYEN_PAIEMENT_INACTIF', 'Ce moyen de paiement est désactivé.');
  elsif exists (select from tresorerie.compte c where c.id_compte = p_id_compte and c.id_moyen <> p_id_moyen) then
    perform core.refuser(400, 'MOYEN_D_UN_AUTRE_COMPTE', 'Ce compte paie par un autre moyen.');
  end if;
end $$;
comment on function achat._moyen_verifier is 'Refuse MOYEN_DU_CREDIT, MOYEN_PAIEMENT_INACTIF, MOYEN_D_UN_AUTRE_COMPTE.';

create function achat._depenser(
  p_paiement achat.paiement, p_factures achat.facture[], p_id_caisse bigint, p_id_compte bigint, p_date timestamptz)
returns bigint
language plpgsql volatile as $$
declare
  v_id_activite constant bigint := (
    select min(f.id_activite) from unnest(p_factures) f
    having count(f.id_activite) = count(*) and min(f.id_activite) = max(f.id_activite));
  v_id_depense bigint;
begin
  insert into finances.depense as d (montant, id_categorie_depense, libelle, date, id_activite, id_caisse, id_compte)
  select (p_paiement).montant, achat._categorie_des_achats(),
         left(concat_ws(', ', case when (p_paiement).montant < 0 then 'Remboursement' end, s.nom, (
                select string_agg(f.numero_fournisseur, ' ' order by f.id_achat) from unnest(p_factures) f)), 200),
         p_date, v_id_activite, p_id_caisse,
         case when p_id_compte is not null then p_id_compte
              when p_id_caisse is null and core.caisse() is null
              then tresorerie._compte_qui_recoit((p_paiement).id_moyen, v_id_activite, core.jour(p_date)) end
    from market.fournisseur s where s.id_fournisseur = (p_paiement).id_fournisseur
  returning d.id_depense into v_id_depense;
  return v_id_depense;
end $$;
comment on function achat._depenser is
  'Sort l''argent d''un paiement, ou rentre celui d''un remboursement : caisse de l''utilisateur s''il en a une, sinon la caisse ou le compte donné, sinon le compte de ce moyen.';

create function achat._payer(
  p_parts achat.part_a_payer[], p_id_moyen bigint, p_id_caisse bigint, p_id_compte bigint, p_date timestamptz,
  p_reference core.libelle)
returns bigint
language plpgsql volatile as $$
declare
  v_date constant timestamptz := coalesce(p_date, now());
  v_factures achat.facture[];
  v achat.paiement;
  v_part record;
begin
  if coalesce(cardinality(p_parts), 0) = 0 then
    perform core.refuser(400, 'PAIEMENT_SANS_FACTURE', 'Un paiement règle au moins une facture.');
  end if;
  v_factures := array(select achat._facture_verrouiller(x.id_achat)
                        from (select distinct l.id_achat from unnest(p_parts) l order by l.id_achat) x);
  if exists (select from unnest(v_factures) f having count(distinct f.id_fournisseur) > 1) then
    perform core.refuser(400, 'PLUSIEURS_FOURNISSEURS', 'Un paiement règle les factures d''un seul fournisseur.');
  end if;
  perform achat._part_verifier(f, coalesce(l.montant, f.reste))
     from unnest(p_parts) l join unnest(v_factures) f on f.id_achat = l.id_achat;
  perform achat._moyen_verifier(p_id_moyen, p_id_compte);
  v.id_fournisseur := v_factures[1].id_fournisseur;
  v.id_moyen := p_id_moyen;
  v.montant := (select sum(coalesce(l.montant, f.reste))
                  from unnest(p_parts) l join unnest(v_factures) f on f.id_achat = l.id_achat);
  v.jour := core.jour(v_date);
  if v.montant <> 0 then
    v.id_depense := achat._depenser(v, v_factures, p_id_caisse, p_id_compte, v_date);
  else
    perform compta._ouverte_exiger(v.jour);
  end if;
  insert into achat.paiement as p (id_fournisseur, jour, montant, id_moyen, id_depense, reference)
  values (v.id_fournisseur, v.jour, v.montant, p_id_moyen, v.id_depense, p_reference)
  returning p.id_paiement into v.id_paiement;
  insert into achat.application (id_paiement, id_achat, montant)
  select v.id_paiement, f.id_achat, coalesce(l.montant, f.reste)
    from unnest(p_parts) l join unnest(v_factures) f on f.id_achat = l.id_achat
   order by f.id_achat;
  for v_part in select a.* from achat.application a where a.id_paiement = v.id_paiement order by a.id_achat loop
    perform achat._solder(v_part.id_achat, v_part.montant, 0);
    perform achat._taxe_deduire(v_part.id_achat, v.id_paiement, null);
  end loop;
  return v.id_paiement;
end $$;
comment on function achat._payer is
  'Paie des factures d''un fournisseur, ou reçoit ce qu''il rend, chacune d''au plus ce qui en reste. Refuse PAIEMENT_SANS_FACTURE, PLUSIEURS_FOURNISSEURS.';
-- The bills are locked, and valid.
call core.ne_refuse_pas('achat._payer', 'TRANSITION_INTERDITE');

create trigger t10_paiement_auteur before insert on achat.paiement
  for each row execute function core._t10_auteur();

create trigger t20_date_future before insert on achat.paiement
  for each row when (new.jour > core.aujourdhui()) execute function core._t20_refuser(
    '400', 'DATE_FUTURE', 'La date du paiement est dans le futur.');

create function achat._comme_sa_depense(p_paiement achat.paiement) returns boolean
language sql stable
return (p_paiement).id_depense is null
  or exists (select from finances.depense d
              where d.id_depense = (p_paiement).id_depense
                and d.date_annulation is not distinct from (p_paiement).date_annulation);
comment on function achat._comme_sa_depense is 'Vrai d''un paiement sans dépense, annulé avec elle, ou qui vaut avec elle.';

call core.figer('PAIEMENT_D_ACHAT_FIGE',
  'Un paiement d''achat ne change ni ne s''efface : il s''annule, en supprimant sa dépense s''il en a une.',
  'before delete on achat.paiement',
  'change: before update on achat.paiement when (old.date_annulation is not null
    or to_jsonb(new) - ''date_annulation'' <> to_jsonb(old) - ''date_annulation'')',
  'before update or delete on achat.application');

create trigger t20_paiement_annule_seul before update on achat.paiement
  for each row when (not achat._comme_sa_depense(new)) execute function core._t20_refuser(
    '409', 'PAIEMENT_ANNULE_SEUL', 'Un paiement d''achat s''annule avec sa dépense : supprimez-la.');

create function achat._t20_depense_d_un_achat() returns trigger
language plpgsql stable as $$
begin
  if exists (select from achat.paiement p where p.id_depense = new.id_depense) then
    perform core.refuser(409, 'DEPENSE_D_UN_ACHAT',
      'Cette dépense paie des factures d''achat : supprimez-la et payez de nouveau.');
  end if;
  return new;
end $$;
comment on function achat._t20_depense_d_un_achat is 'Le montant et le jour de l''argent d''un achat ne changent pas.';

create trigger t20_depense_d_un_achat before update on finances.depense
  for each row when (new.montant <> old.montant or new.jour <> old.jour)
  execute function achat._t20_depense_d_un_achat();

create function achat._t50_paiement_annuler() returns trigger
language plpgsql volatile as $$
begin
  perform compta._ouverte_exiger(new.jour);
  perform from achat.facture f
    where f.id_achat in (select a.id_achat from achat.application a where a.id_paiement = new.id_paiement)
    order by f.id_achat for no key update;
  if exists (select from achat.application a
               join achat.facture f on f.id_achat = a.id_achat
              where a.id_paiement = new.id_paiement and a.montant > 0
                and (f.montant_paye < a.montant or f.deduction = 'PAIEMENT' and exists (
                       select from achat.taxe_deduite d where d.id_achat = f.id_achat and d.id_avoir is not null))) then
    perform core.refuser(409, 'PAIEMENT_SUIVI_D_UN_AVOIR',
      'Un avoir tient compte de ce paiement : il ne s''annule plus.');
  end if;
  perform achat._solder(a.id_achat, -a.montant, 0)
     from achat.application a where a.id_paiement = new.id_paiement order by a.id_achat;
  perform achat._taxe_deduire(a.id_achat, new.id_paiement, null)
     from achat.application a where a.id_paiement = new.id_paiement order by a.id_achat;
  return null;
end $$;
comment on function achat._t50_paiement_annuler is 'Un paiement annulé ne règle plus rien. Refuse PAIEMENT_SUIVI_D_UN_AVOIR.';

create trigger t50_paiement_annuler after update on achat.paiement
  for each row when (old.date_annulation is null and new.date_annulation is not null)
  execute function achat._t50_paiement_annuler();

create function achat._t50_depense_annuler() returns trigger
language plpgsql volatile as $$
begin
  update achat.paiement p set date_annulation = new.date_annulation where p.id_depense = new.id_depense;
  return null;
end $$;
comment on function achat._t50_depense_annuler is 'Un paiement dont la dépense se supprime est annulé.';

create trigger t50_depense_annuler after update on finances.depense
  for each row when (old.date_annulation is null and new.date_annulation is not null)
  execute function achat._t50_depense_annuler();
