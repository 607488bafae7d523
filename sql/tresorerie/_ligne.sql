-- The lines of statements, and the documents of an account that they match. A line stands on one account, and so do its
-- documents: a trigger undoes a match when its document leaves the account or changes its amount.
-- Locks, in this order: the matching of the account, the closed months (shared), the line, the document.

create view tresorerie._piece_vue as
select c.id_compte, p.jour, -finances._sortie(p) as montant, p.id_paiement, null::bigint as id_depense,
       null::bigint as id_virement, null::tresorerie.part_virement as part
  from tresorerie.compte c
  join finances.paiement p on p.id_moyen = c.id_moyen
 where p.id_caisse is null and tresorerie._recoit(c, p.id_activite, p.jour)
   and not exists (select from tresorerie.compte o
                    where o.id_moyen = p.id_moyen and tresorerie._recoit(o, p.id_activite, p.jour)
                      and tresorerie._passe_avant(o, c))
union all
select d.id_compte, d.jour, -d.montant::numeric, null, d.id_depense, null, null
  from finances.depense d
 where d.id_compte is not null and d.date_annulation is null
union all
select m.id_compte, m.jour, m.montant, null, null, m.id_virement, m.part
  from tresorerie._mouvement_vue m
 where m.id_compte is not null;
comment on view tresorerie._piece_vue is 'Ce qui est entré sur chaque compte et en est sorti, pièce par pièce : leur somme est son solde.';

create function tresorerie._piece_libelle(p_id_paiement bigint, p_id_depense bigint, p_id_virement bigint) returns text
language sql stable
return coalesce(
  (select d.libelle::text from finances.depense d where d.id_depense = p_id_depense),
  (select 'Virement ' || v.numero || coalesce(', ' || v.reference, '') from tresorerie.virement v
    where v.id_virement = p_id_virement),
  (select concat_ws(', ', 'Paiement ' || p.id_paiement, p.reference,
                    (select string_agg(f.numero, ' ' order by f.id_facture)
                       from finances.imputation_vue i join facturation.facture f on f.id_facture = i.id_facture
                      where i.id_paiement = p.id_paiement), p.motif)
     from finances.paiement p where p.id_paiement = p_id_paiement));
comment on function tresorerie._piece_libelle is 'Une pièce en quelques mots : son numéro, sa référence, ce qu''elle règle.';

create view tresorerie.ligne_vue as
select l.id_ligne, l.id_compte, l.id_releve, l.jour as date, l.libelle, l.reference, l.identifiant, l.montant, l.solde,
       (select min(r.regle) from tresorerie.rapprochement r where r.id_ligne = l.id_ligne) as regle,
       array(select r.id_paiement from tresorerie.rapprochement r
              where r.id_ligne = l.id_ligne and r.id_paiement is not null order by r.id_paiement) as id_paiements,
       (select r.id_depense from tresorerie.rapprochement r
         where r.id_ligne = l.id_ligne and r.id_depense is not null) as id_depense,
       (select min(r.id_virement) from tresorerie.rapprochement r where r.id_ligne = l.id_ligne) as id_virement
  from tresorerie.ligne l
 where l.id_compte in (select c.id_compte from tresorerie.compte c where tresorerie._solde_visible(c));
comment on view tresorerie.ligne_vue is 'Lignes des relevés des comptes dont l''utilisateur voit le solde, et ce qu''elles sont ici.';
comment on column tresorerie.ligne_vue.date is 'Jour où la banque l''a comptée.';
comment on column tresorerie.ligne_vue.regle is 'Pourquoi elle est rapprochée, null tant qu''elle ne l''est pas.';
comment on column tresorerie.ligne_vue.id_paiements is 'Paiements qu''elle est, aucun d''une autre pièce.';
comment on column tresorerie.ligne_vue.id_depense is 'Dépense qu''elle est.';
comment on column tresorerie.ligne_vue.id_virement is 'Virement qu''elle est, ou dont elle est une part.';
call core.null_comme('tresorerie.ligne_vue', 'tresorerie.ligne');
call core.jamais_null('tresorerie.ligne_vue', 'id_paiements');
call core.peut_etre_null('tresorerie.ligne_vue', 'regle', 'id_depense', 'id_virement');

call core.figer('LIGNE_DE_RELEVE_FIGEE', 'Une ligne de relevé est ce que la banque a écrit : elle ne change pas.',
  'before truncate on tresorerie.ligne', 'change: before update on tresorerie.ligne
    when (to_jsonb(new) - ''{rang,solde}''::text[] <> to_jsonb(old) - ''{rang,solde}''::text[])');
call core.figer('RAPPROCHEMENT_FIGE', 'Un rapprochement ne change pas : il se défait.',
  'before update or truncate on tresorerie.rapprochement');

create function tresorerie._t20_ligne_close() returns trigger
language plpgsql volatile as $$
begin
  perform compta._ouverte_exiger(l.jour) from tresorerie.ligne l
   where l.id_ligne = case tg_op when 'DELETE' then old.id_ligne else new.id_ligne end
     and l.jour < compta._mois_en_cours();
  return case tg_op when 'DELETE' then old else new end;
end $$;
comment on function tresorerie._t20_ligne_close is
  'Un mois clôturé garde ses lignes de relevé et ce qu''elles sont : rien ne s''y rapproche ni ne s''en détache. Refuse PERIODE_CLOTUREE.';

create trigger t20_ligne_close before delete on tresorerie.ligne
  for each row execute function tresorerie._t20_ligne_close();
create trigger t20_ligne_close before insert or delete on tresorerie.rapprochement
  for each row execute function tresorerie._t20_ligne_close();

-- A cancellation of a payment or a transfer keeps its match, because the money came: the counter-document of the day is
-- then alone until the bank writes it too.
create function tresorerie._t50_piece_detacher() returns trigger
language plpgsql volatile as $$
declare
  v_id bigint := (to_jsonb(new) ->> ('id_' || tg_table_name))::bigint;
begin
  if tg_table_name = 'compte' then  -- nothing is matched while payments pass from one account to another
    perform pg_advisory_xact_lock(core._verrou('RAPPROCHEMENT'), x.id_compte::integer)
       from (select c.id_compte
               from tresorerie.compte c
               join tresorerie.compte n on n.id_moyen = c.id_moyen and n.id_compte = v_id
              order by c.id_compte) x;
  end if;
  delete from tresorerie.rapprochement r
   where r.id_ligne = any (case tg_table_name
     when 'depense' then array(select x.id_ligne from tresorerie.rapprochement x where x.id_depense = v_id)
     when 'paiement' then array(
       select x.id_ligne from tresorerie.rapprochement x where x.id_paiement = v_id and not tresorerie._du_compte(x))
     else array(
       select x.id_ligne from tresorerie.rapprochement x
         join tresorerie.compte c on c.id_compte = x.id_compte
         join tresorerie.compte n on n.id_moyen = c.id_moyen and n.id_compte = v_id
        where x.id_paiement is not null and not tresorerie._du_compte(x)) end);
  return null;
end $$;
comment on function tresorerie._t50_piece_detacher is
  'Détache une ligne de la pièce qui quitte son compte ou change de montant. Refuse PERIODE_CLOTUREE.';

create function tresorerie._du_compte(p_rapprochement tresorerie.rapprochement) returns boolean
language sql stable
return exists (select from tresorerie._piece_vue p
                where p.id_compte = (p_rapprochement).id_compte and p.id_paiement = (p_rapprochement).id_paiement);
comment on function tresorerie._du_compte is 'Vrai d''un paiement qui est encore sur le compte de sa ligne.';

create trigger t50_piece_detacher after update of id_moyen, date, jour on finances.paiement
  for each row when (new.id_moyen <> old.id_moyen or new.jour <> old.jour)
  execute function tresorerie._t50_piece_detacher();
create trigger t50_piece_detacher after update on finances.depense
  for each row when (new.montant <> old.montant or new.date_annulation is distinct from old.date_annulation)
  execute function tresorerie._t50_piece_detacher();
create trigger t50_piece_detacher after insert or update of actif, fin on tresorerie.compte
  for each row execute function tresorerie._t50_piece_detacher();

-- A document that another transaction is changing would leave its account or change its amount unseen by both: a match
-- waits for the document, and looks at the document again.
create function tresorerie._t50_piece_tenir() returns trigger
language plpgsql volatile as $$
begin
  perform from finances.paiement p
    where p.id_paiement in (select n.id_paiement from nouveaux n) order by p.id_paiement for share;
  perform from finances.depense d
    where d.id_depense in (select n.id_depense from nouveaux n) order by d.id_depense for share;
  if exists (select from nouveaux n join tresorerie.rapprochement r on r.id_rapprochement = n.id_rapprochement
              where n.id_paiement is not null and not tresorerie._du_compte(r))
     or exists (select from nouveaux n
                  join tresorerie.ligne l on l.id_ligne = n.id_ligne
                  join finances.depense d on d.id_depense = n.id_depense
                 where d.date_annulation is not null or d.montant <> -l.montant) then
    raise serialization_failure using message = 'Une pièce a changé pendant son rapprochement.';
  end if;
  return null;
end $$;
comment on function tresorerie._t50_piece_tenir is
  'Tient la pièce qu''une ligne devient ; une pièce qui vient de changer fait recommencer la transaction.';

create trigger t50_piece_tenir after insert on tresorerie.rapprochement referencing new table as nouveaux
  for each statement execute function tresorerie._t50_piece_tenir();

create function tresorerie._rapprochement_tenir(p_id_compte bigint) returns tresorerie.compte
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(core._verrou('RAPPROCHEMENT'), p_id_compte::integer),
          pg_advisory_xact_lock_shared(core._verrou('CLOTURE'), 0);
  return tresorerie._compte_lu(p_id_compte);
end $$;
comment on function tresorerie._rapprochement_tenir is
  'Un compte dont les lignes se rapprochent une opération après l''autre. Refuse NOT_FOUND.';

create function tresorerie._compte_lu(p_id_compte bigint) returns tresorerie.compte
language sql stable
return core._trouve((select c from tresorerie.compte c
                      where c.id_compte = p_id_compte and tresorerie._solde_visible(c)));
comment on function tresorerie._compte_lu is 'Un compte dont l''utilisateur voit le solde. Refuse NOT_FOUND.';

call core.detail('tresorerie._ligne', 'tresorerie.ligne_vue', 'id_ligne');
comment on function tresorerie._ligne is 'Une ligne que l''utilisateur peut voir.';

create function tresorerie._ligne_tenir(p_id_ligne bigint, p_rapprochee boolean) returns tresorerie.ligne
language plpgsql volatile as $$
declare
  v tresorerie.ligne;
begin
  perform tresorerie._rapprochement_tenir((tresorerie._ligne(p_id_ligne)).id_compte);
  v := core._trouve((select l from tresorerie.ligne l where l.id_ligne = p_id_ligne for no key update));
  perform compta._ouverte_exiger(v.jour);
  if p_rapprochee and not exists (select from tresorerie.rapprochement r where r.id_ligne = p_id_ligne) then
    perform core.refuser(409, 'LIGNE_NON_RAPPROCHEE', 'Cette ligne n''est rapprochée de rien.');
  elsif not p_rapprochee and exists (select from tresorerie.rapprochement r where r.id_ligne = p_id_ligne) then
    perform core.refuser(409, 'LIGNE_DEJA_RAPPROCHEE', 'Cette ligne est déjà rapprochée : détachez-la d''abord.');
  end if;
  return v;
end $$;
comment on function tresorerie._ligne_tenir is
  'Une ligne d''un mois ouvert, verrouillée, rapprochée ou non comme il le faut. Refuse NOT_FOUND, PERIODE_CLOTUREE, LIGNE_DEJA_RAPPROCHEE, LIGNE_NON_RAPPROCHEE.';

-- A document that the user may not see is not there. Of a transfer the line is the whole, the amount or the fees.
create function tresorerie._ligne_lier(
  p_ligne tresorerie.ligne, p_regle tresorerie.regle_rapprochement, p_id_paiements bigint[], p_id_depense bigint,
  p_id_virement bigint)
returns void
language plpgsql volatile as $$
declare
  v_somme numeric;
  v_nombre bigint;
  v_part tresorerie.part_virement;
begin
  select sum(p.montant), count(distinct coalesce(p.id_paiement, p.id_depense, p.id_virement)),
         case when sum(p.montant) <> (p_ligne).montant
              then min(p.part) filter (where p.montant = (p_ligne).montant) end
    into v_somme, v_nombre, v_part
    from tresorerie._piece_vue p
   where p.id_compte = (p_ligne).id_compte
     and (p.id_paiement = any (p_id_paiements) or p.id_depense = p_id_depense or p.id_virement = p_id_virement);
  if v_nombre is distinct from coalesce(cardinality(p_id_paiements), 0) + num_nonnulls(p_id_depense, p_id_virement) then
    perform core.refuser(409, 'PIECE_HORS_DU_COMPTE',
                         'Ce compte n''a pas cette pièce, ou elle est donnée deux fois.');
  elsif v_part is null and v_somme <> (p_ligne).montant then
    perform core.refuser(409, 'MONTANT_DIFFERENT',
      format('La ligne est de %s, et les pièces données de %s : les deux montants doivent être égaux.',
             core.montant_ecrire((p_ligne).montant), core.montant_ecrire(v_somme)),
      jsonb_build_object('ligne', (p_ligne).montant::text, 'ici', v_somme::text));
  end if;
  insert into tresorerie.rapprochement (id_ligne, id_compte, id_paiement, id_depense, id_virement, part, regle,
                                        id_utilisateur)
  select (p_ligne).id_ligne, p.id_compte, p.id_paiement, p.id_depense, p.id_virement, p.part, p_regle,
         core.utilisateur()
    from tresorerie._piece_vue p
   where p.id_compte = (p_ligne).id_compte and (v_part is null or p.part = v_part)
     and (p.id_paiement = any (p_id_paiements) or p.id_depense = p_id_depense or p.id_virement = p_id_virement);
end $$;
comment on function tresorerie._ligne_lier is
  'Rapproche une ligne de pièces de son compte, du même montant. Refuse PIECE_HORS_DU_COMPTE, MONTANT_DIFFERENT.';
