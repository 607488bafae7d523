create function audit._dans_bornes(p_ligne jsonb) returns boolean
language sql stable
return (p_ligne ->> 'id_activite' is null or core._visible((p_ligne ->> 'id_activite')::bigint, core.activite()))
   and (p_ligne ->> 'id_caisse' is null or core._visible((p_ligne ->> 'id_caisse')::bigint, core.caisse()))
   and not exists (select from finances.caisse c
                    where c.id_caisse = (p_ligne ->> 'id_caisse')::bigint and c.id_activite is not null
                      and not core._visible(c.id_activite, core.activite()));
comment on function audit._dans_bornes is 'Faux d''une ligne d''une autre activité ou caisse que la sienne.';

create view audit._trace_visible_vue as
select j.*
  from audit.journal j
 where case when (select auth._sans_bornes()) then true
            else j.id_utilisateur = any ((select auth._comptes_dans_bornes())::bigint[])
                 and audit._dans_bornes(coalesce(j.apres, j.avant)) end;
comment on view audit._trace_visible_vue is
  'Entrées du journal que l''utilisateur peut voir.';
