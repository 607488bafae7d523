create function evenement.webhook_creer(
  p_url evenement.adresse, p_types text[], p_chiffre text, p_description core.texte default null,
  p_id_activite bigint default null, p_actif boolean default true)
returns evenement.webhook_secret_montre
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_webhook bigint;
begin
  perform evenement._preuve_exiger(core.cle());
  insert into evenement.webhook as w (url, types, description, id_activite, etat, id_utilisateur, id_cle, id_caisse,
                                      permissions)
  values (p_url, p_types, p_description, facturation._activite_permise(p_id_activite),
          case when p_actif then 'ACTIF' else 'SUSPENDU' end::evenement.etat_webhook, core.utilisateur(), core.cle(),
          case when core.cle() is not null then core.caisse() end, auth._permissions_de_cle())
  returning w.id_webhook into v_id_webhook;
  return evenement._secret_donner(v_id_webhook, p_chiffre);
end $$;
comment on function evenement.webhook_creer is
  'Envoie à une adresse les événements de ces types qui suivent, ceux que les droits de l''auteur laissent voir. Fait par une clé d''API, il garde ses limites. La clé des signatures, que l''API tire et chiffre, n''est montrée que cette fois.';
