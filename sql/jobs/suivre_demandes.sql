create function jobs.suivre_demandes() returns integer
language sql volatile security definer set search_path = pg_catalog, pg_temp
return (
  select count(core._differer(x.tache, x.arguments, p_file => 'svc-tresorerie'))
    from (select 'demande' as tache, jsonb_build_object('id_demande', d.id_demande) as arguments
            from tresorerie.demande d
            join tresorerie.demande_suite s on s.id_demande = d.id_demande
           where d.statut in ('CREEE', 'ENVOYEE', 'INCERTAINE')
             and (s.essai_le <= now() or d.expire_le <= now() or s.prise_le <= now() - interval '1 minute')
          union all
          select 'avis', jsonb_build_object('id_avis', a.id_avis)
            from tresorerie.avis a
           where a.etat = 'RECU' and (a.essai_le <= now() - interval '1 minute')) x);
comment on function jobs.suivre_demandes is
  'Met en file les demandes et les avis dont le fournisseur est à interroger maintenant ; rend leur nombre.';
