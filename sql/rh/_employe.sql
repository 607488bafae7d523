create trigger t10_employe_code before insert or update of code on rh.employe
  for each row execute function core._t10_code('EMP');

-- An employee is never deleted and may return, so every transition is allowed.
call core.transitions('rh.employe', 'ACTIF: INACTIF SUSPENDU', 'INACTIF: ACTIF SUSPENDU', 'SUSPENDU: ACTIF INACTIF');

create view rh.employe_vue as
select e.id_employe, e.code, e.nom, e.prenom, e.telephone, e.fonction, e.id_service, e.date_embauche, e.type_contrat,
       e.salaire_base, e.statut, e.autres_infos, s.libelle as service_libelle, e.date_sortie
  from rh.employe e
  left join rh.service s on s.id_service = e.id_service
 where case when (select auth._sans_bornes()) then true
            else e.id_utilisateur = any ((select auth._comptes_dans_bornes())::bigint[]) end;
comment on view rh.employe_vue is
  'Employés et leur service ; qui est limité à une activité ou à une caisse voit ceux dont le compte l''est aussi.';
call core.peut_etre_null('rh.employe_vue', 'service_libelle');

create function rh._employe_exiger(p_id_employe bigint) returns void
language plpgsql stable as $$
begin
  if not auth._sans_bornes() then
    perform rh.employe_detail(p_id_employe);
  end if;
end $$;
comment on function rh._employe_exiger is
  'Pour qui est limité à une activité ou à une caisse, les employés des autres n''existent pas. Refuse NOT_FOUND.';

-- Locks the two employees by id.
create function rh._employe_lier(p_id_utilisateur bigint, p_id_employe bigint) returns void
language plpgsql volatile as $$
declare
  v_id_utilisateur bigint;
begin
  perform from rh.employe e where e.id_employe = p_id_employe or e.id_utilisateur = p_id_utilisateur
    order by e.id_employe for no key update;
  update rh.employe e set id_utilisateur = null
   where e.id_utilisateur = p_id_utilisateur and e.id_employe is distinct from p_id_employe;
  if p_id_employe is null then
    return;
  end if;
  select e.id_utilisateur into v_id_utilisateur from rh.employe e where e.id_employe = p_id_employe;
  if not found then
    perform core.refuser(422, 'EMPLOYE_INCONNU', 'Cet employé n''existe pas.');
  elsif v_id_utilisateur <> p_id_utilisateur then
    perform core.refuser(409, 'EMPLOYE_DEJA_LIE', 'Cet employé a déjà un compte.');
  end if;
  update rh.employe e set id_utilisateur = p_id_utilisateur where e.id_employe = p_id_employe;
  update auth.utilisateur u set nom = e.nom, prenom = e.prenom
    from rh.employe e
   where u.id_utilisateur = p_id_utilisateur and e.id_employe = p_id_employe and u.nom is null and u.prenom is null;
end $$;
comment on function rh._employe_lier is
  'Fait d''un compte celui d''un employé, et de lui seul ; un compte sans nom prend le sien ; null le délie. Refuse EMPLOYE_INCONNU, EMPLOYE_DEJA_LIE.';

create function rh._personnel_exiger() returns void
language plpgsql stable as $$
begin
  if not auth._sans_bornes() then
    perform core.refuser(403, 'PERSONNEL_DE_L_ENTREPRISE',
      'Votre compte est limité : un employé s''enregistre par un compte sans activité ni caisse imposée.');
  end if;
end $$;
comment on function rh._personnel_exiger is 'Refuse PERSONNEL_DE_L_ENTREPRISE.';
