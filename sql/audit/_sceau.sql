-- The seal: the content that is sealed, the links of the chain, and the function that adds a seal. A write to a sealed
-- table costs nothing more.
-- Lock: SCEAU, one sealing at a time.

create function audit._t20_registre_fige() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'REGISTRE_FIGE', 'Le journal et ses sceaux ne se changent ni ne s''effacent.');
  return null;
end $$;
comment on function audit._t20_registre_fige() is 'Refuse de réécrire, d''effacer ou de vider le journal et les sceaux, à la main aussi.';

create trigger t20_journal_fige before update or delete or truncate on audit.journal
  for each statement execute function audit._t20_registre_fige();

create trigger t20_sceau_fige before update or delete or truncate on audit.sceau
  for each statement execute function audit._t20_registre_fige();

-- The function is stable, as the functions that it calls are. The planner can then inline it, which halves the cost of
-- a verification.
create function audit._empreinte(p_entree json) returns bytea
language sql stable parallel safe
return sha256(convert_to(p_entree::text, 'UTF8'));
comment on function audit._empreinte(json) is 'SHA-256 de ce qui est scellé d''une entrée.';

-- Columns are listed by name, times are epochs and everything is JSON. The text of an entry is therefore the same in
-- every session, on every version of PostgreSQL, after a restore, and after a migration that adds a column.
create function audit._trace_empreinte(p audit.journal) returns bytea
language sql stable parallel safe
return audit._empreinte(case when p.cle is null then json_build_array(
    p.id_trace, extract(epoch from p.date_heure), p.id_utilisateur, p.module, p.operation, p.entite, p.entite_id,
    p.montant, p.avant, p.apres, host(p.adresse_ip), p.requete)
  else json_build_array(
    p.id_trace, extract(epoch from p.date_heure), p.id_utilisateur, p.module, p.operation, p.entite, p.entite_id,
    p.montant, p.avant, p.apres, host(p.adresse_ip), p.requete, p.cle) end);
comment on function audit._trace_empreinte(audit.journal) is 'Empreinte d''une entrée du journal, de la base ou d''une archive.';

-- An entry without a tax has the text that it had before there were taxes, so the seals made then still hold.
create function audit._facture_taxes(p_id_facture bigint, p_loyer boolean) returns text
language sql stable parallel safe
return (select string_agg(json_build_array(x.id_ligne, t.code, t.taux, t.nature, case when not p_loyer then x.base end,
                                           case when not p_loyer then x.montant end)::text, '' order by x.id_ligne)
          from facturation.facture_ligne_taxe x
          join core.taxe t on t.id_taxe = x.id_taxe
         where x.id_facture = p_id_facture);
comment on function audit._facture_taxes(bigint, boolean) is
  'Ce qui se scelle des taxes d''une facture ; la fin du bail refait les montants d''un loyer.';

create view audit.empreinte_vue as
select 'journal'::audit.registre as registre, j.id_trace as id, audit._trace_empreinte(j) as empreinte
  from audit.journal j
union all
select 'facture', f.id_facture, audit._empreinte(case when f.mode_prix is null then e.entree
         else json_build_array(e.entree, f.mode_prix, audit._facture_taxes(f.id_facture, f.source_type = 'LOCATION')) end)
  from facturation.facture f
 cross join lateral (select json_build_array(
         f.id_facture, f.numero, extract(epoch from f.date), f.jour, f.id_client, f.id_activite, f.id_utilisateur,
         f.source_type, f.source_id, f.montant_total + f.remise,
         case when f.source_type <> 'LOCATION' then f.remise end,
         (select string_agg(json_build_array(l.id_ligne, l.libelle, l.quantite, l.prix_unitaire, l.total)::text, ''
                            order by l.id_ligne)
            from facturation.facture_ligne l where l.id_facture = f.id_facture)) as entree) e
union all
select 'paiement', p.id_paiement, audit._empreinte(json_build_array(
         p.id_paiement, p.montant, p.type, p.id_activite, p.id_caisse, p.id_periode, p.id_utilisateur,
         p.id_paiement_origine))
  from finances.paiement p
union all
select 'application_paiement', a.id_application, audit._empreinte(json_build_array(
         a.id_application, a.id_paiement, a.id_facture, a.montant))
  from finances.application_paiement a
union all
select 'avoir', a.id_avoir, audit._empreinte(case when a.montant_taxe = 0 then e.entree
         else json_build_array(e.entree, a.montant_taxe, (
           select string_agg(l.montant_taxe::text, ' ' order by l.id_ligne_avoir)
             from facturation.avoir_ligne l where l.id_avoir = a.id_avoir)) end)
  from facturation.avoir a
 cross join lateral (select json_build_array(
         a.id_avoir, a.numero, extract(epoch from a.date), a.jour, a.id_facture, a.id_client, a.id_activite,
         a.id_utilisateur, a.motif, a.montant_total, a.montant_excedent, a.rembourse, a.annulation,
         (select string_agg(json_build_array(l.id_ligne_avoir, l.id_ligne, l.quantite, l.montant, l.retour_stock)::text, ''
                            order by l.id_ligne_avoir)
            from facturation.avoir_ligne l where l.id_avoir = a.id_avoir)) as entree) e;
comment on view audit.empreinte_vue is
  'Empreinte de chaque entrée à sceller. Ce qui en est scellé. Journal : tout. Facture : numéro, date, client, activité, auteur, source, lignes, total avant remise, les taxes, et la remise sauf celle d''un loyer, que la fin du bail remet avec sa taxe ; ni le libellé, ni l''annulation, ni ce qui se déduit des paiements. Paiement : montant, sens, activité, caisse, période, auteur, origine ; ni la date, ni le moyen, ni le motif, ni la référence, qui se corrigent et dont le journal scellé garde chaque correction. Application de paiement, avoir et ses lignes : tout.';

create function audit._sceau_empreinte(p_precedente bytea, p_sceau audit.sceau) returns bytea
language sql stable
return sha256(
  coalesce(p_precedente, '')
  || convert_to(jsonb_build_array(p_sceau.rang, extract(epoch from p_sceau.date), p_sceau.registre, p_sceau.du_id,
                                  p_sceau.au_id, p_sceau.ids)::text, 'UTF8')
  || (select string_agg(e.empreinte, '' order by e.place) from unnest(p_sceau.empreintes) with ordinality e (empreinte, place)));
comment on function audit._sceau_empreinte(bytea, audit.sceau) is 'Empreinte d''un sceau à la suite de celle du précédent, null pour le premier.';

create type audit.suite_scellee as (registre audit.registre, suite regclass, dernier bigint);
comment on type audit.suite_scellee is 'Suite des identifiants d''un registre, et le dernier qu''elle a donné.';

-- Reading a sequence does not lock it as a writer does; pg_sequence_last_value would.
create function audit._suites() returns setof audit.suite_scellee
language sql volatile
begin atomic
  select s.registre, s.suite, coalesce(s.dernier, 0)
    from (values ('journal'::audit.registre, 'audit.journal_id_trace_seq'::regclass,
                  (select q.last_value from audit.journal_id_trace_seq q where q.is_called)),
                 ('facture', 'facturation.facture_id_facture_seq',
                  (select q.last_value from facturation.facture_id_facture_seq q where q.is_called)),
                 ('paiement', 'finances.paiement_id_paiement_seq',
                  (select q.last_value from finances.paiement_id_paiement_seq q where q.is_called)),
                 ('application_paiement', 'finances.application_paiement_id_application_seq',
                  (select q.last_value from finances.application_paiement_id_application_seq q where q.is_called)),
                 ('avoir', 'facturation.avoir_id_avoir_seq',
                  (select q.last_value from facturation.avoir_id_avoir_seq q where q.is_called)))
         s (registre, suite, dernier)
   order by s.registre;
end;
comment on function audit._suites() is 'Registres, dans leur ordre, et où en sont leurs identifiants.';

create type audit.scellement as (
  entrees bigint, complet boolean, rang bigint, date timestamptz, empreinte text);
comment on type audit.scellement is 'Ce qu''un scellement a fait, et le dernier sceau de la chaîne.';
comment on column audit.scellement.entrees is 'Entrées que cet appel a scellées.';
comment on column audit.scellement.complet is 'Faux si des écritures trop longues ont fait remettre le scellement au prochain.';
comment on column audit.scellement.rang is 'Rang du dernier sceau, null s''il n''y en a aucun.';
comment on column audit.scellement.empreinte is 'Empreinte du dernier sceau, à garder hors de la base.';
call core.peut_etre_null('audit.scellement', 'rang', 'date', 'empreinte');

create function audit._sceller() returns audit.scellement
language plpgsql volatile as $$
declare
  v audit.scellement;
  v_suites audit.suite_scellee[];
begin
  perform pg_advisory_xact_lock(core._verrou('SCEAU'), 0);
  -- The function reads the last identifier of each sequence, then waits for the transactions that may still commit one.
  -- The next statement then sees every entry up to that identifier, and a missing one can no longer appear.
  v_suites := array(select s from audit._suites() s);
  v.complet := core._identifiants_attendre(array(select s.suite from unnest(v_suites) s));
  v.entrees := case when v.complet then audit._sceaux_ajouter(v_suites) else 0 end;
  select s.rang, s.date, encode(s.empreinte, 'hex') into v.rang, v.date, v.empreinte
    from audit.sceau s order by s.rang desc limit 1;
  if v.entrees > 0 then
    raise log 'comptoir: sceau % %', v.rang, v.empreinte;
  end if;
  return v;
end $$;
comment on function audit._sceller() is
  'Scelle tout ce qui est écrit et ne l''est pas encore, et note le dernier sceau au journal du serveur. Attend deux secondes au plus les écritures en cours. Refuse ISOLATION_IMPREVUE.';

create function audit._sceaux_ajouter(p_suites audit.suite_scellee[]) returns bigint
language plpgsql volatile as $$
declare
  v_suite audit.suite_scellee;
  v_lot record;
  v_sceau audit.sceau;
  v_precedente bytea;
  v_entrees bigint := 0;
begin
  select s.rang, s.empreinte into v_sceau.rang, v_precedente from audit.sceau s order by s.rang desc limit 1;
  foreach v_suite in array p_suites loop
    v_sceau.registre := v_suite.registre;
    v_sceau.au_id := coalesce((select max(s.au_id) from audit.sceau s where s.registre = v_suite.registre), 0);
    for v_lot in
      select (e.id - 1) / 10000 + 1 as lot, array_agg(e.id order by e.id) as ids,
             array_agg(e.empreinte order by e.id) as empreintes
        from audit.empreinte_vue e
       where e.registre = v_suite.registre and e.id > v_sceau.au_id and e.id <= v_suite.dernier
       group by 1 order by 1
    loop
      v_sceau.rang := coalesce(v_sceau.rang, 0) + 1;
      v_sceau.date := clock_timestamp();
      v_sceau.du_id := v_sceau.au_id + 1;
      v_sceau.au_id := least(v_lot.lot * 10000, v_suite.dernier);
      v_sceau.ids := v_lot.ids;
      v_sceau.empreintes := v_lot.empreintes;
      v_sceau.empreinte := audit._sceau_empreinte(v_precedente, v_sceau);
      insert into audit.sceau select v_sceau.*;
      v_precedente := v_sceau.empreinte;
      v_entrees := v_entrees + cardinality(v_lot.ids);
    end loop;
  end loop;
  return v_entrees;
end $$;
comment on function audit._sceaux_ajouter(audit.suite_scellee[]) is
  'Ajoute à la chaîne les sceaux de ce qui suit les derniers, dix mille identifiants au plus par sceau, et rend le nombre d''entrées.';
