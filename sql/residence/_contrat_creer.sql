-- Locks, in this order: the room, the account of the client, the counter of the numbers.

create type residence.compte_resident as (login text, email_envoye boolean);
comment on type residence.compte_resident is 'Compte ouvert pour un locataire.';
comment on column residence.compte_resident.email_envoye is 'Vrai si un lien pour choisir son mot de passe lui est envoyé.';
call core.peut_etre_null('residence.compte_resident', 'email_envoye');

create type residence.contrat_cree as (
  id_contrat bigint, numero_contrat text, id_client bigint, id_logement bigint, date_debut date, date_fin_prevue date,
  duree_mois residence.duree_mois, type_location residence.type_location, montant_loyer core.montant,
  periodicite core.libelle, statut residence.statut_contrat, date_signature date, date_resiliation date,
  motif_resiliation core.texte, client_code text, numero_logement text, batiment_code text,
  montant_a_rembourser core.somme, echeances residence.echeance_vue[], revisions residence.revision_loyer_vue[],
  compte_resident residence.compte_resident);
comment on type residence.contrat_cree is 'Nouveau contrat, ses échéances, et le compte ouvert pour un client qui n''en avait pas.';
comment on column residence.contrat_cree.compte_resident is 'Null si le client avait déjà un compte.';
call core.peut_etre_null('residence.contrat_cree', 'date_fin_prevue', 'duree_mois', 'periodicite', 'date_signature',
  'date_resiliation', 'motif_resiliation', 'compte_resident');

create function residence._contrat_creer(
  p_id_client bigint, p_id_logement bigint, p_date_debut date, p_montant_loyer core.montant_du_reglement,
  p_type_location residence.type_location, p_date_fin_prevue date, p_duree_mois residence.duree_mois,
  p_periodicite core.libelle, p_date_signature date, p_lien_en_file boolean, p_paye_jusqu_au date default null)
returns residence.contrat_cree
language plpgsql volatile as $$
declare
  v_id_contrat bigint;
  v_compte residence.compte_resident;
begin
  perform client._client_resoudre(p_id_client, null);
  if not exists (select from residence.logement_vue l where l.id_logement = p_id_logement) then
    perform core.refuser(422, 'LOGEMENT_INCONNU', 'Ce logement n''existe pas.');
  end if;
  perform residence._logement_prendre(p_id_logement, 'RESERVE');
  v_compte := residence._compte_ouvrir(p_id_client, p_lien_en_file);
  insert into residence.contrat_location (id_client, id_logement, date_debut, loyer_initial, type_location,
                                          date_fin_prevue, duree_mois, periodicite, date_signature, paye_jusqu_au)
  values (p_id_client, p_id_logement, p_date_debut, p_montant_loyer, p_type_location, p_date_fin_prevue, p_duree_mois,
          p_periodicite, p_date_signature, p_paye_jusqu_au)
  returning id_contrat into v_id_contrat;
  perform residence._echeances_generer(array[v_id_contrat],
                                       residence._horizon(greatest(p_date_debut, core.aujourdhui())));
  return (select row(c.*, v_compte)::residence.contrat_cree from residence.contrat_detail(v_id_contrat) c);
end $$;
comment on function residence._contrat_creer is
  'Crée un contrat en attente, ses échéances, et le compte du client qui n''en a pas ; réserve le logement. D''un bail repris d''un autre système, les échéances commencent au lendemain de ce qui y est payé.';
-- The dates come from the request. A trigger writes the occupation.
call core.peut_refuser('residence._contrat_creer', 'LOGEMENT_DEJA_OCCUPE', 'DEBUT_CONTRAT_PLAUSIBLE',
  'FIN_CONTRAT_APRES_DEBUT', 'FIN_CONTRAT_PLAUSIBLE', 'SIGNATURE_AVANT_DEBUT');
-- Only an account of the role CLIENT changes its role.
call core.ne_refuse_pas('residence._contrat_creer', 'DERNIER_ADMINISTRATEUR');

-- The account has no password: its holder chooses the first one through a link, which the worker sends if it is queued
-- here, and otherwise the caller. A client who signed up alone keeps the account, which may now read the lease.
create function residence._compte_ouvrir(p_id_client bigint, p_lien_en_file boolean)
returns residence.compte_resident
language plpgsql volatile as $$
declare
  v_client client.client;
  v_id_role bigint;
  v residence.compte_resident;
begin
  select * into strict v_client from client.client c where c.id_client = p_id_client for no key update;
  select r.id_role into strict v_id_role from auth.role r where r.code = 'RESIDENT';
  update auth.utilisateur u set id_role = v_id_role
    from auth.role r
   where u.id_client = p_id_client and r.id_role = u.id_role and r.code = 'CLIENT';
  if exists (select from auth.utilisateur u where u.id_client = p_id_client) then
    return null;
  end if;
  -- The login is the code of the client, with a rank where another account has this login.
  v.login := (
    select l.login
      from (select n, lower(v_client.code) || case when n > 1 then '-' || n else '' end as login
              from generate_series(1, 1000) n) l
     where not exists (select from auth.utilisateur u where lower(u.login) = l.login)
     order by l.n limit 1);
  insert into auth.utilisateur (login, nom, prenom, id_role, id_client)
  values (v.login, v_client.nom, v_client.prenoms, v_id_role, p_id_client);
  v.email_envoye := v_client.email is not null and p_lien_en_file is not null;
  if v.email_envoye and p_lien_en_file then
    perform auth._courriel('espace-resident', v.login);
  end if;
  return v;
end $$;
comment on function residence._compte_ouvrir is
  'Ouvre le compte de rôle RESIDENT d''un client qui n''en a pas, null s''il en a un ; un compte de rôle CLIENT devient RESIDENT. Le lien pour choisir un mot de passe part par la file (vrai), est envoyé par l''appelant (faux), ou n''est pas envoyé (null).';
