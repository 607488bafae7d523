-- The schema of what sql/audit/_passe.sql makes of the views when the code is loaded: the same rows at a past instant.
-- depends: 0067.audit-arbre

create schema passe;
comment on schema passe is 'Les tables et les vues telles qu''elles étaient à un instant, refaites à chaque chargement du code.';
