call core.detail('restaurant.plat_detail', 'restaurant.plat_vue', 'id_plat');
comment on function restaurant.plat_detail is 'Un plat.';
