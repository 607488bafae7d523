create type client.client_champs as (
  nom core.libelle,
  prenoms core.libelle,
  tel_principal core.telephone,
  type_client client.type_client,
  date_naissance date,
  lieu_naissance core.libelle,
  sexe client.sexe,
  nationalite core.libelle,
  profession core.libelle,
  photo core.cle_objet,
  tel_secondaire core.telephone,
  email core.email,
  adresse core.texte,
  ville core.libelle,
  pays core.libelle,
  numero_contribuable core.libelle
);
comment on type client.client_champs is 'Champs modifiables d''un client.';

create function client.client_modifier(p_id_client bigint, p_champs jsonb, p_avis_en_file boolean default false)
returns client.client_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform client._client(p_id_client);
  perform from client.client c where c.id_client = p_id_client for no key update;
  if p_avis_en_file and p_champs ? 'email' then
    perform auth._avertir('adresse-changee', a) from auth.adresse_avis(p_id_client, p_champs ->> 'email') a;
  end if;
  update client.client c
     set (nom, prenoms, tel_principal, type_client, date_naissance, lieu_naissance, sexe, nationalite, profession,
          photo, tel_secondaire, email, adresse, ville, pays, numero_contribuable) =
         (select v.nom, v.prenoms, v.tel_principal, v.type_client, v.date_naissance, v.lieu_naissance, v.sexe,
                 v.nationalite, v.profession, v.photo, v.tel_secondaire, v.email, v.adresse, v.ville, v.pays,
                 v.numero_contribuable from jsonb_populate_record(c, p_champs) v)
   where c.id_client = p_id_client;
  return client._client(p_id_client);
end $$;
comment on function client.client_modifier is
  'Modifie les champs donnés d''un client ; null efface un champ facultatif. L''ancienne adresse d''un compte en reçoit l''avis.';
