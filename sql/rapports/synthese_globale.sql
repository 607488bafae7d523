create type rapports.recette_activite as (code text, libelle text, total_encaisse core.somme);
comment on type rapports.recette_activite is 'Encaissements d''une activité.';

create type rapports.total_impayes as (nombre integer, montant core.somme);
comment on type rapports.total_impayes is 'Ce qui reste dû, échu dans la période.';

create type rapports.synthese as (
  periode rapports.periode, recettes_par_activite rapports.recette_activite[], total_recettes core.somme,
  total_depenses core.somme, solde core.somme, impayes rapports.total_impayes,
  masse_salariale core.somme);
comment on type rapports.synthese is 'Synthèse d''une période.';
comment on column rapports.synthese.total_depenses is 'Tout l''argent sorti : dépenses et décaissements.';
comment on column rapports.synthese.solde is 'total_recettes − total_depenses.';
comment on column rapports.synthese.masse_salariale is
  'Nets des bulletins non annulés des mois de la période ; null pour qui ne voit qu''une activité ou qu''une caisse.';

create function rapports.synthese_globale(p_du date default null, p_au date default null) returns rapports.synthese
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v rapports.synthese;
begin
  v.periode := row(p_du, p_au)::rapports.periode;
  with sommes as (
    select m.id_activite, sum(m.encaissements) as entre, sum(m.decaissements + m.depenses) as sorti
      from finances.mouvement_jour_vue m
     where m.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity')
     group by m.id_activite
  ), lignes as (
    select a.id_activite, coalesce(a.code, 'SANS_ACTIVITE') as code, coalesce(a.libelle, 'Sans activité') as libelle,
           coalesce(s.entre, 0) as entre, coalesce(s.sorti, 0) as sorti
      from core.activite a
      full join sommes s on s.id_activite = a.id_activite
     where core.activite() is null or a.id_activite = core.activite() or s.entre is not null
  )
  select array_agg(row(l.code, l.libelle, l.entre)::rapports.recette_activite order by l.id_activite),
         coalesce(sum(l.entre), 0), coalesce(sum(l.sorti), 0)
    into v.recettes_par_activite, v.total_recettes, v.total_depenses
    from lignes l;
  v.solde := v.total_recettes - v.total_depenses;
  select row(count(*), coalesce(sum(i.reste), 0))::rapports.total_impayes into v.impayes
    from finances.impaye_vue i
   where (p_du is null or i.date_echeance >= p_du) and (p_au is null or i.date_echeance <= p_au);
  if rapports._entreprise() then
    v.masse_salariale := rapports._salaires(p_du, p_au, '{CALCULEE,VALIDEE,PAYEE}');
  end if;
  return v;
end $$;
comment on function rapports.synthese_globale(date, date) is
  'Recettes par activité, dépenses, solde, impayés et masse salariale, depuis toujours ou sur une période.';
