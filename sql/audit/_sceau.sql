create function audit._registre_fige() returns void
language plpgsql stable as $$
begin
  perform core.refuser(409, 'REGISTRE_FIGE', 'Le journal et ses sceaux ne se changent ni ne s''effacent.');
end $$;
comment on function audit._registre_fige is 'Refuse REGISTRE_FIGE.';

create function audit._t20_registre_fige() returns trigger
language plpgsql volatile as $$
begin
  perform audit._registre_fige();
  return null;
end $$;
comment on function audit._t20_registre_fige is 'Refuse de réécrire, d''effacer ou de vider le journal et les sceaux, à la main aussi.';

create trigger t20_journal_fige before delete or truncate on audit.journal
  for each statement execute function audit._t20_registre_fige();

do $$
declare
  v_table regclass;
begin
  foreach v_table in array '{audit.archive, audit.arbre, audit.effacement, audit.noeud, audit.publication,
                             audit.rectification, audit.sceau, audit.tete}'::regclass[] loop
    execute format('create trigger t20_registre_fige before update or delete or truncate on %s
                    for each statement execute function audit._t20_registre_fige()', v_table);
  end loop;
end $$;

-- Stable, like the functions that it calls: the planner inlines it, which halves the cost of a verification.
create function audit._empreinte(p_entree json) returns bytea
language sql stable parallel safe
return sha256(convert_to(p_entree::text, 'UTF8'));
comment on function audit._empreinte is 'SHA-256 de ce qui est scellé d''une entrée.';

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
comment on function audit._trace_empreinte is 'Empreinte d''une entrée du journal, de la base ou d''une archive.';

-- An entry without a tax has the text that it had before there were taxes, so the seals made then still hold.
create function audit._facture_taxes(p_id_facture bigint, p_loyer boolean) returns text
language sql stable parallel safe
return (select string_agg(json_build_array(x.id_ligne, t.code, t.taux, t.nature, case when not p_loyer then x.base end,
                                           case when not p_loyer then x.montant end)::text, '' order by x.id_ligne)
          from facturation.facture_ligne_taxe x
          join core.taxe t on t.id_taxe = x.id_taxe
         where x.id_facture = p_id_facture);
comment on function audit._facture_taxes is
  'Ce qui se scelle des taxes d''une facture ; la fin du bail refait les montants d''un loyer.';

-- The columns of a document that its paper shows and that never change. The discount of a rent may.
create function audit._enonce(p_type text, p_numero text, p_jour date, p_montant numeric) returns text
language sql stable parallel safe
return json_strip_nulls(json_build_object(
  'type', p_type, 'numero', p_numero, 'jour', p_jour, 'montant', p_montant::numeric(14,2)::text))::text;
comment on function audit._enonce is 'Énoncé d''un document : ce qu''en montre sa preuve.';

create view audit.empreinte_vue as
select 'journal'::audit.registre as registre, j.id_trace as id, audit._trace_empreinte(j) as empreinte,
       null::text as enonce
  from audit.journal j
union all
select 'facture', f.id_facture, audit._empreinte(case when f.mode_prix is null then e.entree
         else json_build_array(e.entree, f.mode_prix,
                               audit._facture_taxes(f.id_facture, f.source_type = 'LOCATION')) end),
       audit._enonce('facture', f.numero, f.jour,
                     f.montant_total + case when f.source_type = 'LOCATION' then f.remise else 0 end)
  from facturation.facture f
 cross join lateral (select json_build_array(
         f.id_facture, f.numero, extract(epoch from f.date), f.jour, f.id_client, f.id_activite, f.id_utilisateur,
         f.source_type, f.source_id, f.montant_total + f.remise,
         case when f.source_type <> 'LOCATION' then f.remise end,
         (select string_agg(json_build_array(l.id_ligne, l.libelle, l.quantite, l.prix_unitaire, l.total)::text, ''
                            order by l.id_ligne)
            from facturation.facture_ligne l where l.id_facture = f.id_facture)) as entree) e
union all
select 'paiement', p.id_paiement, audit._empreinte(case when p.id_facture is null then json_build_array(
         p.id_paiement, p.montant, p.type, p.id_activite, p.id_caisse, p.id_periode, p.id_utilisateur,
         p.id_paiement_origine) else json_build_array(
         p.id_paiement, p.montant, p.type, p.id_activite, p.id_caisse, p.id_periode, p.id_utilisateur,
         p.id_paiement_origine, p.id_facture) end),
       audit._enonce('paiement', finances._paiement_numero(p.id_paiement), null, p.montant)
  from finances.paiement p
union all
select 'application_paiement', a.id_application, audit._empreinte(case when a.jour is null then json_build_array(
         a.id_application, a.id_paiement, a.id_facture, a.montant) else json_build_array(
         a.id_application, a.id_paiement, a.id_facture, a.montant, a.jour) end), null
  from finances.application_paiement a
union all
select 'avoir', a.id_avoir, audit._empreinte(case when a.montant_taxe = 0 then e.entree
         else json_build_array(e.entree, a.montant_taxe, (
           select string_agg(l.montant_taxe::text, ' ' order by l.id_ligne_avoir)
             from facturation.avoir_ligne l where l.id_avoir = a.id_avoir)) end),
       audit._enonce('avoir', a.numero, a.jour, a.montant_total)
  from facturation.avoir a
 cross join lateral (select json_build_array(
         a.id_avoir, a.numero, extract(epoch from a.date), a.jour, a.id_facture, a.id_client, a.id_activite,
         a.id_utilisateur, a.motif, a.montant_total, a.montant_excedent, a.rembourse, a.annulation,
         (select string_agg(json_build_array(l.id_ligne_avoir, l.id_ligne, l.quantite, l.montant, l.retour_stock)::text,
                            '' order by l.id_ligne_avoir)
            from facturation.avoir_ligne l where l.id_avoir = a.id_avoir)) as entree) e;
comment on view audit.empreinte_vue is
  'Empreinte de chaque entrée à sceller. Ce qui en est scellé. Journal : tout. Facture : numéro, date, client, activité, auteur, source, lignes, total avant remise, les taxes, et la remise sauf celle d''un loyer, que la fin d''un bail refaisait avec sa taxe avant qu''un avoir la remplace ; ni le libellé, ni l''annulation, ni ce qui se déduit des paiements. Paiement : montant, sens, activité, caisse, période, auteur, origine, facture qu''il nomme ; ni la date, ni le moyen, ni le motif, ni la référence, qui se corrigent et dont le journal scellé garde chaque correction. Application de paiement, avoir et ses lignes : tout.';

create function audit._sceau_empreinte(p_precedente bytea, p_sceau audit.sceau) returns bytea
language sql stable
return sha256(
  coalesce(p_precedente, '')
  || convert_to((jsonb_build_array(p_sceau.rang, extract(epoch from p_sceau.date), p_sceau.registre, p_sceau.du_id,
                                   p_sceau.au_id, p_sceau.ids)
                 || case when p_sceau.racine is null then '[]'
                         else jsonb_build_array(p_sceau.taille, encode(p_sceau.racine, 'hex')) end)::text, 'UTF8')
  || (select string_agg(e.empreinte, '' order by e.place)
        from unnest(p_sceau.empreintes) with ordinality e (empreinte, place)));
comment on function audit._sceau_empreinte is 'Empreinte d''un sceau à la suite de celle du précédent, null pour le premier.';
