create function tresorerie.compte_detail(p_id_compte bigint, p_au date default null) returns tresorerie.compte_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select row(c.*)::tresorerie.compte_vue from tresorerie._comptes(p_au) c
                      where c.id_compte = p_id_compte));
comment on function tresorerie.compte_detail is 'Un compte hors caisse et son solde, celui du soir du jour « au » s''il est donné.';
