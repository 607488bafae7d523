create function jobs.suivre_demandes() returns integer
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  with avis as (
    update tresorerie.avis a set essai_le = now() + interval '1 minute'
     where a.etat = 'RECU' and a.essai_le <= now() - interval '1 minute'
    returning a.id_avis),
  attente as (
    select 'demande' as tache, jsonb_build_object('id_demande', d.id_demande) as arguments
      from tresorerie.demande d
      join tresorerie.demande_suite s on s.id_demande = d.id_demande
     where d.statut in ('CREEE', 'ENVOYEE', 'INCERTAINE')
       and (s.essai_le <= now() or s.prise_le <= now() - interval '1 minute')
    union all
    select 'avis', jsonb_build_object('id_avis', a.id_avis) from avis a)
  select count(core._differer(a.tache, a.arguments, p_file => 'svc-tresorerie'))::integer from attente a;
end;
comment on function jobs.suivre_demandes is
  'Met en file les demandes et les avis dont le fournisseur est à interroger maintenant ; rend leur nombre.';
