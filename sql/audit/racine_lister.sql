create view audit.publication_vue as
select t.taille, p.jour, t.date, t.texte
  from audit.publication p
  join audit.tete_vue t on t.taille = p.taille;
comment on view audit.publication_vue is 'Racines publiées, une par jour.';
comment on column audit.publication_vue.taille is 'Feuilles de l''arbre.';
comment on column audit.publication_vue.date is 'Instant de la signature.';
comment on column audit.publication_vue.texte is 'La racine signée, à garder telle quelle.';
call core.jamais_null('audit.publication_vue', 'texte');

create function audit.racine_lister(p_du date default null, p_au date default null) returns setof audit.publication_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select v.* from audit.publication_vue v
   where v.jour >= coalesce(p_du, coalesce(p_au, core.aujourdhui()) - 31) and (p_au is null or v.jour <= p_au)
   order by v.jour desc;
end;
comment on function audit.racine_lister is
  'Racines publiées entre deux jours, de la plus récente à la plus ancienne ; un mois sans « du ». Qui en garde une peut prouver plus tard que rien d''avant n''a changé.';
