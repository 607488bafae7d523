create function auth.reinitialisation_appliquer(p_hash text, p_mot_de_passe auth.mot_de_passe) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_utilisateur bigint;
begin
  -- Lock order: the user first. Of two concurrent uses of a token, the second then sees that the token is used.
  perform from auth.utilisateur u
    where u.id_utilisateur = (select j.id_utilisateur from auth.jeton_reinitialisation j where j.hash = p_hash)
      for no key update;
  update auth.jeton_reinitialisation j set date_usage = now()
    from auth.utilisateur u
   where j.hash = p_hash and j.date_usage is null and j.date_expiration > now()
     and u.id_utilisateur = j.id_utilisateur and u.actif
  returning j.id_utilisateur into v_id_utilisateur;
  if not found then
    perform core.refuser(400, 'JETON_INVALIDE', 'Ce lien n''est plus valable : demandez-en un nouveau.');
  end if;
  -- Only the owner of the mailbox has the link. The sessions of the person who opened the account end.
  update auth.utilisateur u set a_confirmer = false where u.id_utilisateur = v_id_utilisateur and u.a_confirmer;
  perform auth._mot_de_passe_poser(v_id_utilisateur, p_mot_de_passe);
end $$;
comment on function auth.reinitialisation_appliquer is
  'Applique un nouveau mot de passe par un jeton reçu, une seule fois ; toutes les sessions du compte prennent fin, et son adresse est confirmée.';
