create view finances.caisse_dashboard_vue as
select c.*,
       (jour.encaissements - jour.decaissements)::core.somme_nombre as revenus_jour,
       jour.encaissements::core.somme_nombre as total_paiements,
       jour.depenses::core.somme_nombre as total_depenses,
       (select count(*) from finances.affectation_caisse a
          join auth.utilisateur u on u.id_utilisateur = a.id_utilisateur
         where a.id_caisse = c.id_caisse and u.actif)::integer as nombre_employes,
       array(select p from finances.paiement_vue p
              where p.id_paiement in (select q.id_paiement from finances.paiement q
                                       where q.id_caisse = c.id_caisse and q.jour = core.aujourdhui())
              order by p.date desc, p.id_paiement desc) as paiements_details,
       (select coalesce(sum(m.montant), 0) from tresorerie._mouvement_vue m
         where m.id_caisse = c.id_caisse and m.jour = core.aujourdhui())::core.somme_nombre as total_virements,
       tresorerie._caisse_solde(c.id_caisse, 'infinity')::core.somme_nombre as solde
  from finances.caisse_vue c
  cross join lateral (
    select coalesce(sum(m.encaissements), 0) as encaissements, coalesce(sum(m.decaissements), 0) as decaissements,
           coalesce(sum(m.depenses), 0) as depenses
      from finances.mouvement_jour_vue m
     where m.id_caisse = c.id_caisse and m.jour = core.aujourdhui()) as jour;
comment on view finances.caisse_dashboard_vue is 'Journée d''une caisse, à la date de gestion du jour.';
comment on column finances.caisse_dashboard_vue.revenus_jour is 'Encaissements moins décaissements du jour.';
comment on column finances.caisse_dashboard_vue.total_paiements is 'Encaissements du jour.';
comment on column finances.caisse_dashboard_vue.total_depenses is 'Dépenses du jour, sans les supprimées.';
comment on column finances.caisse_dashboard_vue.nombre_employes is 'Utilisateurs actifs liés à cette caisse.';
comment on column finances.caisse_dashboard_vue.paiements_details is 'Paiements du jour, le dernier d''abord.';
comment on column finances.caisse_dashboard_vue.total_virements is 'Virements du jour : ce qui est entré, moins ce qui est sorti et ses frais.';
comment on column finances.caisse_dashboard_vue.solde is 'Ce que la caisse a reçu, moins ce qui en est sorti, depuis toujours ; son fond n''en est pas.';
call core.jamais_null('finances.caisse_dashboard_vue', 'libelle', 'revenus_jour', 'total_paiements', 'total_depenses',
  'nombre_employes', 'total_virements', 'solde');

call core.detail('finances.caisse_dashboard', 'finances.caisse_dashboard_vue', 'id_caisse');
comment on function finances.caisse_dashboard is
  'Rend la journée d''une caisse : revenus, totaux, solde, employés, paiements.';
