-- A password is counted in characters, and is not made of spaces alone.
-- depends: 0074.auth-preuve

-- No column has this domain: it is the rule that the API reads.
-- squawk-ignore ban-drop-constraint
alter domain auth.mot_de_passe_clair drop constraint mot_de_passe_long;
-- squawk-ignore ban-alter-domain-with-add-constraint
alter domain auth.mot_de_passe_clair add constraint mot_de_passe_long check (char_length(value) <= 128);
-- squawk-ignore ban-alter-domain-with-add-constraint
alter domain auth.mot_de_passe_clair add constraint mot_de_passe_vide check (value ~ '\S');
comment on constraint mot_de_passe_long on domain auth.mot_de_passe_clair is 'Le mot de passe dépasse 128 caractères.';
comment on constraint mot_de_passe_vide on domain auth.mot_de_passe_clair is 'Le mot de passe ne peut pas être fait d''espaces seulement.';
comment on domain auth.mot_de_passe is
  'Mot de passe, de 8 à 128 caractères (forme NFC), gardé haché par bcrypt au coût 10 ; de plus de 72 octets, c''est son SHA-256 qui est haché. L''API le hache avant l''appel.';
