create type rapports.financier_paiement as (
  id bigint, date timestamptz, montant core.montant_signe, reference text, motif text, activite_libelle text,
  moyen_libelle text);
comment on type rapports.financier_paiement is 'Un paiement du rapport financier.';
call core.peut_etre_null('rapports.financier_paiement', 'reference', 'motif', 'activite_libelle');

create type rapports.financier_depense as (
  id bigint, date timestamptz, montant core.montant_signe, libelle text, justificatif text, categorie_libelle text);
comment on type rapports.financier_depense is 'Une dépense du rapport financier.';
call core.peut_etre_null('rapports.financier_depense', 'justificatif');

create type rapports.rapport_financier as (
  periode rapports.periode, encaissements rapports.financier_paiement[], decaissements rapports.financier_paiement[],
  depenses rapports.financier_depense[], impayes finances.impaye_vue[]);
comment on type rapports.rapport_financier is 'Chaque entrée et chaque sortie d''argent d''une période.';
comment on column rapports.rapport_financier.decaissements is 'Argent rendu ou versé : remboursements, cautions, salaires.';
comment on column rapports.rapport_financier.impayes is 'Ce qui reste dû, échu dans la période.';

create function rapports._financier_paiements(p_du date, p_au date, p_type finances.type_paiement)
returns rapports.financier_paiement[]
language sql stable
return array(
  select row(p.id, p.date, p.montant, p.reference, p.motif, p.activite_libelle,
             p.moyen_libelle)::rapports.financier_paiement
    from rapports.paiement_vue p
   where p.jour between p_du and p_au and p.type = p_type
   order by p.date, p.id);
comment on function rapports._financier_paiements is 'Paiements d''un sens.';

create function rapports.financier(p_du date default null, p_au date default null) returns rapports.rapport_financier
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := coalesce(p_au, core.aujourdhui());
  v_du date := core.premier_jour(p_du, p_au);
begin
  -- People read this report. A larger one would only exhaust the server.
  if (select count(*) from (select from finances.paiement p
                             where p.jour between v_du and v_au limit 50001) x) > 50000 then
    perform core.refuser(400, 'PERIODE_TROP_LONGUE',
      'Ce rapport compterait plus de 50 000 paiements : choisissez une période plus courte.');
  end if;
  return row(
    row(v_du, v_au)::rapports.periode, rapports._financier_paiements(v_du, v_au, 'ENCAISSEMENT'),
    rapports._financier_paiements(v_du, v_au, 'DECAISSEMENT'),
    array(select row(d.id, d.date, d.montant, d.libelle, d.justificatif,
                     d.categorie_libelle)::rapports.financier_depense
            from rapports.depense_vue d where d.jour between v_du and v_au order by d.date, d.id),
    array(select i from finances.impaye_vue i where i.date_echeance between v_du and v_au
           order by i.date_echeance, i.type, i.reference))::rapports.rapport_financier;
end $$;
comment on function rapports.financier is
  'Encaissements, décaissements, dépenses et impayés un à un, depuis le premier du mois ou sur une période.';
