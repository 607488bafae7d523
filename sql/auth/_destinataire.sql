create type auth.destinataire as (email text, login text, nom text, organisation text);
comment on type auth.destinataire is 'À qui écrire.';

-- Staff can edit the address of a client. It is used only for an account whose permissions all belong to the portal,
-- so that staff cannot take over an account with other permissions.
create view auth.adresse_vue as
select u.id_utilisateur, u.login, concat_ws(' ', u.prenom, u.nom) as nom, u.actif, u.a_confirmer,
       u.email as email_compte, c.email as email_client,
       coalesce(u.email, c.email,
                case when u.login ~ '^[^@\s<>]+@[^@\s<>]+\.[^@\s<>.]{2,63}$' then u.login end)::text as email
  from auth.utilisateur u
  left join client.client c on c.id_client = u.id_client and not exists (
    select from auth.role_permission rp join auth.permission p on p.id_permission = rp.id_permission
     where rp.id_role = u.id_role and p.code !~ '^(RESIDENT|PORTAIL)\.|\.(DEMANDER|COMMANDER|DECLARER)$');
comment on view auth.adresse_vue is 'Où écrire au titulaire de chaque compte.';
comment on column auth.adresse_vue.email is 'La sienne, sinon celle de son client s''il n''a que son espace, sinon son login si c''en est une ; null où l''on n''en connaît pas.';
comment on column auth.adresse_vue.email_compte is 'Adresse du compte.';
comment on column auth.adresse_vue.email_client is 'Adresse de son client, pour un compte qui n''a que son espace.';
