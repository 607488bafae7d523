-- An e-mail that carries a secret is queued without it. The queue holds the login, and the worker creates the token
-- when it writes the e-mail. A warning has no secret, and is queued whole: the former address is in no table any more.

create function auth._courriel(p_modele text, p_login text) returns bigint
language sql volatile
return core._differer('courriel', jsonb_build_object('modele', p_modele, 'login', p_login));
comment on function auth._courriel is 'Met en file l''e-mail par lequel un compte choisit son mot de passe.';

create function auth._avertir(p_modele text, p_a auth.destinataire, p_faits jsonb default '{}') returns bigint
language sql volatile
return core._differer('avertir', to_jsonb(p_a) || jsonb_build_object('modele', p_modele, 'faits', p_faits));
comment on function auth._avertir is 'Met en file l''e-mail qui avertit un compte de ce qui lui arrive.';
