-- When a session last proved its owner, whether it gave a second factor, and which sign-ins failed by the code.
-- depends: 0073.evenement-webhook-cle

alter table auth.jeton_rafraichissement add column date_preuve timestamptz;
alter table auth.jeton_rafraichissement add column second_facteur boolean not null default false;
comment on column auth.jeton_rafraichissement.date_preuve is 'Dernière fois que le mot de passe a été redit dans cette connexion, null jamais.';
comment on column auth.jeton_rafraichissement.second_facteur is 'Vrai si la connexion a donné un second facteur.';
update auth.jeton_rafraichissement j set second_facteur = true
  from auth.second_facteur s
 where s.id_utilisateur = j.id_utilisateur and s.date_confirmation <= j.date_connexion and j.date_revocation is null;

alter table auth.connexion add column code_faux boolean not null default false;
comment on column auth.connexion.code_faux is 'Vrai si le mot de passe, ou le jeton, était bon et le code du second facteur faux.';

comment on column auth.code_secours.hash is 'Hachage lent (scrypt, le secret du second facteur pour sel) ; SHA-256 pour les codes d''avant.';
comment on table auth.code_secours is 'Codes de secours, hachés ; chacun sert une fois.';
