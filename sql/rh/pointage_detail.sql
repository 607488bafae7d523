call core.detail('rh.pointage_detail', 'rh.pointage_vue', 'id_pointage');
comment on function rh.pointage_detail is 'Un pointage.';
