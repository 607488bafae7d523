create function auth.connexion_echouee(
  p_id_utilisateur bigint, p_adresse_ip text, p_agent text, p_code_faux boolean default false,
  p_avis_en_file boolean default false)
returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_a_prevenir boolean;
begin
  -- The account is locked, so that two wrong codes count one after the other.
  if p_code_faux then
    perform from auth.utilisateur u where u.id_utilisateur = p_id_utilisateur for no key update;
  end if;
  insert into auth.connexion (id_utilisateur, succes, adresse_ip, agent, code_faux)
  values (p_id_utilisateur, false, auth._adresse(p_adresse_ip), left(p_agent, 500), p_code_faux);
  -- The owner of an account mistypes a code or two. A third wrong code may come from a thief of the password.
  v_a_prevenir := p_code_faux and 3 = (
    select count(*) from auth.connexion c
     where c.id_utilisateur = p_id_utilisateur and c.code_faux and c.date > now() - interval '1 hour');
  if v_a_prevenir and p_avis_en_file then
    perform auth._prevenir(p_id_utilisateur, 'codes-faux', jsonb_build_object('adresse', p_adresse_ip));
  end if;
  return v_a_prevenir;
end $$;
comment on function auth.connexion_echouee is
  'Note une connexion refusée à un compte, par son mot de passe ou par un code faux. Vrai au troisième code faux en une heure : le titulaire en est averti.';
