create view signalement.photo_vue as
select p.id_photo, p.id_signalement, p.cle_objet, p.id_utilisateur, p.date_ajout
  from signalement.photo p
  join signalement.signalement_vue s on s.id_signalement = p.id_signalement;
comment on view signalement.photo_vue is 'Photos des signalements que l''utilisateur peut voir.';

call core.detail('signalement._photo', 'signalement.photo_vue', 'id_photo');
comment on function signalement._photo is 'Une photo visible par l''utilisateur. Refuse NOT_FOUND.';

create trigger t10_photo_auteur before insert on signalement.photo
  for each row execute function core._t10_auteur();
