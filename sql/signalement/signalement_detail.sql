call core.detail('signalement.signalement_detail', 'signalement.signalement_vue', 'id_signalement');
comment on function signalement.signalement_detail is 'Un signalement.';
