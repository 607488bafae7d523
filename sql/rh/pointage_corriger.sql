create type rh.pointage_champs as (
  heure_arrivee timestamptz,
  heure_depart timestamptz,
  duree_travaillee rh.heures,
  statut rh.statut_pointage,
  heures_sup rh.heures,
  note core.texte
);
comment on type rh.pointage_champs is 'Correction d''un pointage.';
comment on column rh.pointage_champs.heure_arrivee is 'Acceptée, sans effet : elle appartient à la base.';
comment on column rh.pointage_champs.heure_depart is 'Null rouvre le pointage.';
comment on column rh.pointage_champs.duree_travaillee is 'Acceptée, sans effet : elle se calcule.';

create function rh.pointage_corriger(p_id_pointage bigint, p_champs jsonb) returns rh.pointage_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v rh.pointage := rh._pointage_verrouiller(p_id_pointage);
begin
  v := jsonb_populate_record(v, p_champs - array['heure_arrivee', 'duree_travaillee']);
  if p_champs ? 'heure_depart' and v.heure_depart is not null then
    perform rh._presence_exiger(v.statut);
  end if;
  update rh.pointage p
     set (horloge_depart, statut, heures_sup, note)
       = row(case when p_champs ? 'heure_depart' then v.heure_depart else v.horloge_depart end,
             v.statut, v.heures_sup, v.note)
   where p.id_pointage = p_id_pointage;
  return rh.pointage_detail(p_id_pointage);
end $$;
comment on function rh.pointage_corriger is
  'Corrige le départ, le statut, les heures supplémentaires ou la note d''un pointage ; heure_arrivee et duree_travaillee sont sans effet.';
-- The departure is in another column than in the request, and the index compares the employee of the row.
call core.peut_refuser('rh.pointage_corriger', 'POINTAGE_DEJA_OUVERT', 'DEPART_APRES_ARRIVEE', 'DEPART_TROP_TARDIF');
-- The function does not write the date, and every transition is allowed.
call core.ne_refuse_pas('rh.pointage_corriger', 'DATE_FUTURE', 'TRANSITION_INTERDITE');
