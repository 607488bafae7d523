-- A call in a list that the API rehearses or does as one transaction (app/leaves/repetition).
create domain core.methode as text
  constraint methode_inconnue check (value ~ '^(GET|POST|PUT|PATCH|DELETE)$');
comment on domain core.methode is 'Méthode HTTP.';
comment on constraint methode_inconnue on domain core.methode is 'La méthode est GET, POST, PUT, PATCH ou DELETE.';

create domain core.chemin as text
  constraint chemin_trop_long check (octet_length(value) <= 4096);
comment on domain core.chemin is 'Chemin d''une requête, et ses paramètres.';
comment on constraint chemin_trop_long on domain core.chemin is 'Un chemin compte 4 096 octets au plus.';

create type core.appel as (methode core.methode, chemin core.chemin, corps jsonb);
comment on type core.appel is 'Un appel à répéter.';
comment on column core.appel.chemin is 'Chemin avec sa requête, dès /api/v1 ; {0/id_client} y est la valeur d''une réponse d''avant.';
comment on column core.appel.corps is 'Corps JSON ; {"$ref": "0/id_client"} y est la valeur d''une réponse d''avant.';
call core.peut_etre_null('core.appel', 'corps');
