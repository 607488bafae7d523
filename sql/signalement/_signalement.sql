call core.transitions('signalement.signalement', 'OUVERT: EN_COURS RESOLU REJETE', 'EN_COURS: RESOLU REJETE');

create view signalement.signalement_vue as
select s.id_signalement, s.titre, s.description, s.id_activite, s.type_signalement, s.statut,
       s.id_utilisateur_declarant, s.id_utilisateur_traitant, s.note_resolution, s.date_signalement, s.date_resolution,
       a.code as activite_code, a.libelle as activite_libelle, u.nom as declarant_nom, u.prenom as declarant_prenom,
       u.login as declarant_login, s.lieu, s.id_client, c.cible as cible_type,
       (case c.cible when 'MODULE' then s.type_signalement end)::core.code as module_cible
  from signalement.signalement s
 cross join signalement._cible(s.par_module, s.id_client, s.id_activite) c (cible)
  left join core.activite a on a.id_activite = s.id_activite
  left join auth.utilisateur u on u.id_utilisateur = s.id_utilisateur_declarant
 where s.id_activite is null or core._visible(s.id_activite, (select core.activite()))
    or s.id_utilisateur_declarant = (select core.utilisateur());
comment on view signalement.signalement_vue is
  'Signalements que l''utilisateur peut voir : tous, ou, s''il est limité à une activité, ceux de cette activité, les généraux et les siens.';
comment on column signalement.signalement_vue.module_cible is 'Domaine que nomme le signalement, null s''il n''en nomme pas.';
call core.jamais_null('signalement.signalement_vue', 'cible_type');
call core.peut_etre_null('signalement.signalement_vue', 'activite_code', 'activite_libelle', 'declarant_nom',
  'declarant_prenom', 'declarant_login', 'module_cible');

create function signalement._signalement_passer(
  p_id_signalement bigint, p_statut signalement.statut_signalement, p_note_resolution signalement.recit default null)
returns signalement.signalement_vue
language plpgsql volatile as $$
declare
  v signalement.signalement;
begin
  perform signalement.signalement_detail(p_id_signalement);
  select * into strict v from signalement.signalement s where s.id_signalement = p_id_signalement for no key update;
  if v.date_resolution is not null then
    perform core.refuser(409, 'DEJA_TRAITE',
      format('Ce signalement est déjà traité : il est à l''état %s.', core.etat_ecrire(v.statut::text)));
  elsif v.statut = p_statut then
    perform core.refuser(409, 'DEJA_PRIS_EN_CHARGE', 'Ce signalement est déjà pris en charge.');
  end if;
  update signalement.signalement s
     set statut = p_statut, id_utilisateur_traitant = coalesce(core.utilisateur(), s.id_utilisateur_traitant),
         note_resolution = p_note_resolution, date_resolution = case when p_statut <> 'EN_COURS' then now() end
   where s.id_signalement = p_id_signalement;
  return signalement.signalement_detail(p_id_signalement);
end $$;
comment on function signalement._signalement_passer is
  'Fait passer un signalement ouvert à un autre état ; le second à le clore est refusé. Refuse NOT_FOUND, DEJA_TRAITE, DEJA_PRIS_EN_CHARGE.';
-- The function refuses DEJA_TRAITE before the transition trigger runs.
call core.ne_refuse_pas('signalement._signalement_passer', 'TRANSITION_INTERDITE');

create function signalement._t10_signalement_remplir() returns trigger
language plpgsql volatile as $$
begin
  new.id_utilisateur_declarant := coalesce(core.utilisateur(), new.id_utilisateur_declarant);
  -- The domain of permissions that goes with the activity.
  new.type_signalement := coalesce(new.type_signalement, (
    select case a.code when 'VENTE_MARCHANDISES' then 'MARCHANDISE' when 'RESTAURATION' then 'RESTAURANT'
                       when 'LOCATION_RESIDENTIEL' then 'RESIDENCE' when 'LOCATION_COMMERCIAL' then 'RESIDENCE'
                       else a.code end
      from core.activite a where a.id_activite = new.id_activite));
  return new;
end $$;
comment on function signalement._t10_signalement_remplir is 'Déclarant et domaine du signalement.';

create trigger t10_signalement_remplir before insert on signalement.signalement
  for each row execute function signalement._t10_signalement_remplir();

create function signalement._t90_signalement_cree() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'signalement.cree', 'MEDIUM', 'Nouveau signalement', new.titre,
    jsonb_build_object('id_signalement', new.id_signalement::text), 'SIGNALEMENT.VOIR', null, new.id_activite, null);
  return null;
end $$;
comment on function signalement._t90_signalement_cree is 'Un signalement s''annonce à ceux qui peuvent le voir.';

create trigger t90_signalement_cree after insert on signalement.signalement
  for each row execute function signalement._t90_signalement_cree();

create function signalement._t90_signalement_suivi() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    case new.statut when 'EN_COURS' then 'signalement.pris_en_charge' when 'RESOLU' then 'signalement.resolu'
                    else 'signalement.rejete' end, 'MEDIUM',
    case new.statut when 'EN_COURS' then 'Signalement pris en charge' when 'RESOLU' then 'Signalement résolu'
                    else 'Signalement rejeté' end,
    new.titre, jsonb_build_object('id_signalement', new.id_signalement::text), null, null, null,
    new.id_utilisateur_declarant);
  return null;
end $$;
comment on function signalement._t90_signalement_suivi is 'Le déclarant apprend ce que devient son signalement.';

create trigger t90_signalement_suivi after update of statut on signalement.signalement
  for each row when (new.statut <> old.statut and new.id_utilisateur_declarant is not null)
  execute function signalement._t90_signalement_suivi();
