-- Accounts that people open for themselves: nothing is shown to them before their address is known to be theirs; and the
-- permission of the space of clients.
-- depends: 0028.residence-bornes

alter table auth.utilisateur add column a_confirmer boolean not null default false;
comment on column auth.utilisateur.a_confirmer is
  'Vrai d''un compte né d''une inscription libre, tant qu''un lien envoyé à son adresse n''a pas servi : son espace reste fermé. Écrite par l''inscription et par le lien.';
update auth.utilisateur u set a_confirmer = true
  from auth.role r
 where r.id_role = u.id_role and r.code = 'CLIENT' and u.id_client is not null;

insert into auth.permission (code, libelle)
select 'PORTAIL.' || a.code, a.libelle || ' : espace client'
  from (values (1, 'VOIR', 'Voir'), (2, 'CREER', 'Créer'), (3, 'MODIFIER', 'Modifier'), (4, 'SUPPRIMER', 'Supprimer'))
       as a (rang, code, libelle)
 order by a.rang;

insert into auth.role_permission (id_role, id_permission)
select r.id_role, p.id_permission
  from auth.role r
  join auth.permission p on p.code like 'PORTAIL.%'
                        and (r.code = 'ADMINISTRATEUR' or r.code in ('CLIENT', 'RESIDENT') and p.code = 'PORTAIL.VOIR');
