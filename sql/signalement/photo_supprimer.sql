call core.retrait('signalement.photo_supprimer', 'signalement._photo', 'delete from signalement.photo');
comment on function signalement.photo_supprimer is 'Ôte une photo d''un signalement ; le fichier déposé reste.';
