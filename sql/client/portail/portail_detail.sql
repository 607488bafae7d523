create type client.portail_fiche as (
  id_client bigint, code text, nom text, prenoms text, type_client client.type_client, tel_principal text,
  email text, date_enregistrement timestamptz, a_confirmer boolean, tel_secondaire text, adresse text, ville text,
  pays text);
comment on type client.portail_fiche is 'Fiche du client connecté.';
comment on column client.portail_fiche.a_confirmer is
  'Vrai tant que l''adresse n''est pas confirmée : les listes de l''espace sont vides, le reste en est fermé, et ce que la maison a ajouté à la fiche n''y est pas.';
call core.peut_etre_null('client.portail_fiche', 'email', 'tel_secondaire', 'adresse', 'ville', 'pays');

create function client.portail_detail() returns client.portail_fiche
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_lie();
begin
  return core._trouve((
    select row(c.id_client, c.code, c.nom, c.prenoms, c.type_client, c.tel_principal, c.email, c.date_enregistrement,
               core.a_confirmer(), f.tel_secondaire, f.adresse, f.ville, f.pays)::client.portail_fiche
      from client.client c
      left join client.client f on f.id_client = c.id_client and not core.a_confirmer()
     where c.id_client = v_id_client));
end $$;
comment on function client.portail_detail is 'La fiche du client connecté.';
