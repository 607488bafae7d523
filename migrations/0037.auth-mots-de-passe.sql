-- The rule of a new password, the address of an account that is nobody's client, and what tells a known caller.
-- depends: 0036.auth-sessions

create domain auth.mot_de_passe_clair as text
  constraint mot_de_passe_court check (char_length(value) >= 8)
  constraint mot_de_passe_long check (octet_length(value) <= 72);
comment on domain auth.mot_de_passe_clair is
  'Mot de passe tel qu''une personne l''écrit, où une opération prend un auth.mot_de_passe. L''API lit ici sa règle, l''applique et le hache : aucune requête ne le porte.';
comment on constraint mot_de_passe_court on domain auth.mot_de_passe_clair is 'Le mot de passe doit compter au moins 8 caractères.';
comment on constraint mot_de_passe_long on domain auth.mot_de_passe_clair is 'Le mot de passe dépasse 72 octets (une lettre accentuée en compte deux).';
comment on domain auth.mot_de_passe is 'Mot de passe haché par bcrypt au coût 10, ce que l''API fait avant l''appel ; auth.mot_de_passe_clair a la règle de ce qu''elle hache.';

alter table auth.utilisateur add column email core.email;
create index utilisateur_email on auth.utilisateur (lower(email));
comment on column auth.utilisateur.email is
  'Adresse à laquelle écrire au titulaire du compte : mot de passe oublié, connexion d''ailleurs. Écrite par l''administration ; null où l''on n''en connaît pas.';

-- From where an account has signed in, for the brake on wrong passwords.
create index connexion_reussie on auth.connexion (id_utilisateur, date desc) where succes;
