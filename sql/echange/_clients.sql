create type echange.clients as (
  code core.libelle, nom core.libelle, prenoms core.libelle, tel_principal core.telephone,
  type_client client.type_client, date_naissance date, lieu_naissance core.libelle, sexe client.sexe,
  nationalite core.libelle, profession core.libelle, tel_secondaire core.telephone, email core.email,
  adresse core.texte, ville core.libelle, pays core.libelle);
comment on type echange.clients is 'Une ligne d''une feuille de clients.';
comment on column echange.clients.code is 'Code : le sien dans vos papiers. Sans lui, la base en donne un.';
comment on column echange.clients.nom is 'Nom : nom de famille.';
comment on column echange.clients.prenoms is 'Prénoms : tous ses prénoms.';
comment on column echange.clients.tel_principal is 'Téléphone : 0701020304 ou +2250701020304.';
comment on column echange.clients.type_client is 'Type de client : AUTRE si rien n''est dit.';
comment on column echange.clients.date_naissance is 'Date de naissance : 31/12/1990.';
comment on column echange.clients.lieu_naissance is 'Lieu de naissance : ville ou village.';
comment on column echange.clients.sexe is 'Sexe : M, F ou AUTRE.';
comment on column echange.clients.nationalite is 'Nationalité : en un mot.';
comment on column echange.clients.profession is 'Profession : métier.';
comment on column echange.clients.tel_secondaire is 'Autre téléphone : un second numéro.';
comment on column echange.clients.email is 'E-mail : adresse électronique.';
comment on column echange.clients.adresse is 'Adresse : rue et quartier.';
comment on column echange.clients.ville is 'Ville : où il habite.';
comment on column echange.clients.pays is 'Pays : où il habite.';
call core.peut_etre_null('echange.clients', 'code', 'type_client', 'date_naissance', 'lieu_naissance', 'sexe',
  'nationalite', 'profession', 'tel_secondaire', 'email', 'adresse', 'ville', 'pays');

create function echange._clients(p echange.clients) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_client bigint := case when (p).code is not null
    then (select c.id_client from client.client c where c.code = (p).code)
    else (select c.id_client from client.client c
           where lower(c.nom) = lower((p).nom) and lower(c.prenoms) = lower((p).prenoms)
             and echange._meme_telephone(c.tel_principal, (p).tel_principal) limit 1) end;
begin
  return row(
    coalesce(v_id_client, (client._client_inscrire(
      (p).code, (p).nom, (p).prenoms, (p).tel_principal, coalesce((p).type_client, 'AUTRE'), (p).date_naissance,
      (p).lieu_naissance, (p).sexe, (p).nationalite, (p).profession, null, (p).tel_secondaire, (p).email, (p).adresse,
      (p).ville, (p).pays)).id_client),
    v_id_client is not null,
    coalesce((p).code, concat_ws(
      '|', lower((p).nom), lower((p).prenoms), right(echange._chiffres((p).tel_principal), 8))))::echange.issue;
end $$;
comment on function echange._clients is 'Enregistre un client ; le même code, ou nom et téléphone, existe déjà.';
