create function auth.session_ouvrir(
  p_id_utilisateur bigint, p_hash text, p_duree integer, p_adresse_ip text, p_agent text,
  p_second_facteur boolean default false, p_avis_en_file boolean default false)
returns auth.session
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_inhabituelle constant boolean :=
    exists (select from auth.connexion c where c.id_utilisateur = p_id_utilisateur and c.succes)
    and not auth._adresse_connue(p_id_utilisateur, p_adresse_ip)
    and (auth._administrateur(p_id_utilisateur)
         or not exists (select from auth.connexion c
                         where c.id_utilisateur = p_id_utilisateur and c.succes and c.date > now() - interval '90 days'
                           and c.agent = left(p_agent, 500)));
  v auth.session;
begin
  update auth.utilisateur u set dernier_connexion = now() where u.id_utilisateur = p_id_utilisateur and u.actif;
  if not found then
    perform core.refuser(401, 'UNAUTHORIZED', 'Identifiants invalides');
  elsif not p_second_facteur and auth._second_facteur_confirme(p_id_utilisateur) then
    perform core.refuser(401, 'A2F_REQUIS', 'Donnez le code de votre second facteur.');
  end if;
  -- Each login deletes the long-expired tokens of the user, so that the table stays small without a job.
  delete from auth.jeton_rafraichissement j
   where j.id_utilisateur = p_id_utilisateur and j.date_expiration < now() - interval '30 days';
  insert into auth.connexion (id_utilisateur, succes, adresse_ip, agent)
  values (p_id_utilisateur, true, auth._adresse(p_adresse_ip), left(p_agent, 500));
  v := auth._jeton_creer(p_id_utilisateur, p_hash, gen_random_uuid(), now(), p_duree, p_adresse_ip, p_agent,
                         p_second_facteur);
  -- The update above holds the account, so two sign-ins count one after the other.
  perform auth._famille_revoquer(o.famille)
     from (select j.famille from auth.jeton_rafraichissement j
            where j.id_utilisateur = p_id_utilisateur and j.famille <> v.famille
              and j.date_revocation is null and j.date_expiration > now()
            order by j.date_connexion desc, j.famille offset 49) o;
  v.inhabituelle := v_inhabituelle;
  if v_inhabituelle and p_avis_en_file then
    perform auth._prevenir(p_id_utilisateur, 'connexion',
                           jsonb_build_object('adresse', p_adresse_ip, 'appareil', coalesce(p_agent, 'inconnu')));
  end if;
  return v;
end $$;
comment on function auth.session_ouvrir is
  'Ouvre une session après vérification du mot de passe, et du second facteur si le compte en a un : première génération d''une famille de jetons (p_duree en secondes), connexion notée. Un compte a 50 sessions au plus : une de plus met fin à la plus ancienne. Le titulaire est averti d''une connexion inhabituelle.';
