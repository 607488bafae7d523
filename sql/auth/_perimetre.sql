-- The limits of an account. The context of a request and the live delivery read them only here.

create view auth.perimetre_vue as
select u.id_utilisateur, u.actif, u.epoque,
       (select r.code from auth.role r where r.id_role = u.id_role) as role, u.a_confirmer, u.id_client, a.id_caisse,
       coalesce(u.id_activite_scope, (select c.id_activite from finances.caisse c where c.id_caisse = a.id_caisse))
         as id_activite
  from auth.utilisateur u
  left join finances.affectation_caisse a on a.id_utilisateur = u.id_utilisateur;
comment on view auth.perimetre_vue is 'Rôle, époque, client, caisse et activité de chaque compte.';
comment on column auth.perimetre_vue.role is 'Code du rôle.';
comment on column auth.perimetre_vue.a_confirmer is 'Vrai tant que l''adresse d''un compte né d''une inscription libre n''est pas confirmée.';
comment on column auth.perimetre_vue.id_caisse is 'Caisse imposée au compte, null s''il n''en a pas.';
comment on column auth.perimetre_vue.id_activite is 'Activité à laquelle le compte est limité (la sienne ou celle de sa caisse), null sans limite.';
