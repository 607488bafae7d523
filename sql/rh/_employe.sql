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
  end if;
  if v_id_utilisateur <> p_id_utilisateur then
    perform core.refuser(409, 'EMPLOYE_DEJA_LIE', 'Cet employé a déjà un compte.');
  end if;
  update rh.employe e set id_utilisateur = p_id_utilisateur where e.id_employe = p_id_employe;
  update auth.utilisateur u set nom = e.nom, prenom = e.prenom
    from rh.employe e
   where u.id_utilisateur = p_id_utilisateur and e.id_employe = p_id_employe and u.nom is null and u.prenom is null;
end $$;
comment on function rh._employe_lier is
  'Fait d''un compte celui d''un employé, et de lui seul ; un compte sans nom prend le sien ; null le délie. Refuse EMPLOYE_INCONNU, EMPLOYE_DEJA_LIE.';

-- Only an import gives a code: the employee has it on paper.
create function rh._employe_inscrire(
  p_code core.libelle, p_nom core.libelle, p_prenom core.libelle, p_fonction rh.fonction, p_date_embauche date,
  p_type_contrat rh.type_contrat, p_salaire_base core.montant, p_telephone core.telephone, p_id_service bigint,
  p_autres_infos core.texte, p_date_sortie date)
returns rh.employe_vue
language plpgsql volatile as $$
declare
  v_id_employe bigint;
begin
  if not auth._sans_bornes() then
    perform core.refuser(403, 'PERSONNEL_DE_L_ENTREPRISE',
      'Votre compte est limité : un employé s''enregistre par un compte sans activité ni caisse imposée.');
  end if;
  insert into rh.employe (code, nom, prenom, telephone, fonction, id_service, date_embauche, type_contrat, salaire_base,
                          autres_infos, date_sortie)
  values (p_code, p_nom, p_prenom, p_telephone, p_fonction, p_id_service, p_date_embauche, p_type_contrat,
          p_salaire_base, p_autres_infos, p_date_sortie)
  returning id_employe into v_id_employe;
  return rh.employe_detail(v_id_employe);
end $$;
comment on function rh._employe_inscrire is
  'Enregistre un employé, avec son code s''il en a déjà un. Refuse PERSONNEL_DE_L_ENTREPRISE.';
-- The fields come from the request.
call core.peut_refuser('rh._employe_inscrire', 'EMPLOYE_SERVICE_INCONNU', 'SORTIE_AVANT_EMBAUCHE');
