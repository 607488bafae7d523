create type tresorerie.avis_compte as (id_compte bigint, fournisseur tresorerie.fournisseur, secret text, hash text);
comment on type tresorerie.avis_compte is 'Compte dont un jeton est celui, et ses clés chiffrées, qui vérifient la signature.';

create function tresorerie.avis_compte(p_jeton text) returns tresorerie.avis_compte
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select row(a.id_compte, a.fournisseur, a.secret, a.hash)::tresorerie.avis_compte
                       from tresorerie.acces a where a.hash = p_jeton));
comment on function tresorerie.avis_compte is 'Le compte à qui s''adresse un avis, par le SHA-256 du jeton de l''adresse.';
