-- A failed backup is retried twice, ten minutes apart. The administrators then have three notifications of the failure.

create type jobs.sauvegarde_auto_bilan as (lancee boolean, id_sauvegarde bigint);
comment on type jobs.sauvegarde_auto_bilan is 'Si la planification demandait une sauvegarde, et laquelle est lancée.';
call core.peut_etre_null('jobs.sauvegarde_auto_bilan', 'id_sauvegarde');

create function jobs._sauvegarde_due(p_instant timestamptz) returns timestamptz
language sql stable
return (select e.echeance
          from jobs.planification p
         cross join lateral (select (p_instant at time zone core.fuseau() - p.heure)::date as jour) j
         cross join lateral (
           select (j.jour - case p.frequence when 'HEBDOMADAIRE' then extract(dow from j.jour)::integer else 0 end
                   + p.heure) at time zone core.fuseau() as echeance) e
         where p.active and e.echeance > p.date_maj
           and not exists (select from jobs.sauvegarde s where s.echeance = e.echeance
                              and (s.statut <> 'ERREUR' or s.date_fin > p_instant - interval '10 minutes'))
           and (select count(*) from jobs.sauvegarde s where s.echeance = e.echeance) < 3);
comment on function jobs._sauvegarde_due is
  'Échéance qui attend sa sauvegarde à cet instant, null s''il n''y en a pas. Une échéance manquée reste due jusqu''à la suivante.';

create function jobs.sauvegarde_auto(p_en_file boolean default true) returns jobs.sauvegarde_auto_bilan
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jobs.sauvegarde_auto_bilan;
  v_echeance timestamptz;
begin
  perform jobs._coffre_clore_interrompus();
  v_echeance := jobs._sauvegarde_due(now());
  -- A running restore ends first. The backup is still due a minute later.
  if v_echeance is not null and not exists (select from jobs.restauration r where r.statut = 'EN_COURS') then
    v.id_sauvegarde := jobs._sauvegarde_creer('AUTOMATIQUE', v_echeance, p_en_file);
  end if;
  v.lancee := v.id_sauvegarde is not null;
  return v;
end $$;
comment on function jobs.sauvegarde_auto is
  'Lance la sauvegarde que la planification demande, une au plus, et clôt celle dont le processus est mort ; sans rien de dû, ne fait rien.';
