-- An e-mail that carries a secret is queued without it. The queue holds the login, and the worker creates the token
-- when it writes the e-mail.

create function auth._courriel(p_modele text, p_login text) returns bigint
language sql volatile
return core._differer('courriel', jsonb_build_object('modele', p_modele, 'login', p_login));
comment on function auth._courriel(text, text) is
  'Met en file l''e-mail par lequel un compte choisit son mot de passe ; il part avec la transaction en cours.';
