-- By identifier as in an export, by code, by label. A row that the user may not see is refused like an unknown one.

create type echange.issue as (id_entite bigint, deja boolean, repere text);
comment on type echange.issue is 'Ce qu''une ligne a créé, ou ce qui existait déjà, et ce qui la distingue des autres lignes.';

create function echange._inconnu(p_champ text, p_message text) returns void
language sql volatile
return core.refuser(422, 'REFERENCE_INCONNUE', p_message, jsonb_build_object('champ', p_champ));
comment on function echange._inconnu is 'Refuse REFERENCE_INCONNUE, avec le champ qui la nomme.';

create function echange._trouver(
  p_champ text, p_valeur text, p_trouves bigint[], p_aucun text, p_plusieurs text default null) returns bigint
language plpgsql volatile as $$
begin
  if p_valeur is not null and cardinality(p_trouves) = 0 then
    perform echange._inconnu(p_champ, format(p_aucun, p_valeur));
  elsif cardinality(p_trouves) > 1 and p_plusieurs is not null then
    perform echange._inconnu(p_champ, format(p_plusieurs, p_valeur));
  end if;
  return p_trouves[1];
end $$;
comment on function echange._trouver is
  'La première de ces lignes, null sans valeur. Refuse REFERENCE_INCONNUE, par la phrase donnée, s''il n''y en a aucune ou s''il y en a trop.';

create function echange._chiffres(p_telephone text) returns text
language sql immutable parallel safe
return regexp_replace(p_telephone, '[^0-9]', '', 'g');
comment on function echange._chiffres is 'Un téléphone sans ses séparateurs.';

-- The last eight digits are the same with and without the country.
create function echange._meme_telephone(p_un text, p_autre text) returns boolean
language sql immutable parallel safe
return right(echange._chiffres(p_un), 8) = right(echange._chiffres(p_autre), 8);
comment on function echange._meme_telephone is 'Vrai si deux téléphones ont les mêmes huit derniers chiffres.';

create function echange._client(p_id_client bigint, p_client text, p_telephone text) returns bigint
language plpgsql volatile as $$
declare
  v_clients bigint[];
begin
  if p_client is not null then
    v_clients := array(select c.id_client from client.client_vue c where c.code = p_client);
    if cardinality(v_clients) = 0 then
      v_clients := array(
        select c.id_client from client.client_vue c
         where lower(p_client) in (lower(c.nom || ' ' || c.prenoms), lower(c.prenoms || ' ' || c.nom))
           and (p_telephone is null or echange._meme_telephone(c.tel_principal, p_telephone)));
    end if;
  elsif p_telephone is not null then
    v_clients := array(select c.id_client from client.client_vue c
                        where echange._meme_telephone(c.tel_principal, p_telephone));
  elsif p_id_client is not null then
    v_clients := array(select c.id_client from client.client_vue c where c.id_client = p_id_client);
  else
    perform echange._inconnu('client',
      'Cette ligne ne nomme pas de client : donnez son code, ou son nom et son téléphone.');
  end if;
  return echange._trouver(
    'client', coalesce(p_client, p_telephone, p_id_client::text), v_clients,
    'Aucun client ne porte le code ou le nom « %s ».', 'Plusieurs clients répondent à « %s » : donnez le code du bon.');
end $$;
comment on function echange._client is 'Le client que nomme une ligne : code, nom, téléphone, sinon identifiant.';

create function echange._batiment(p_id_batiment bigint, p_batiment text) returns bigint
language plpgsql volatile as $$
begin
  if p_id_batiment is null and p_batiment is null then
    perform echange._inconnu('batiment', 'Ce champ est obligatoire.');
  end if;
  return echange._trouver('batiment', coalesce(p_batiment, p_id_batiment::text), case when p_batiment is null
    then array(select b.id_batiment from residence.batiment_vue b where b.id_batiment = p_id_batiment)
    else array(select b.id_batiment from residence.batiment_vue b
                where b.code = p_batiment or lower(b.nom) = lower(p_batiment)
                order by b.code = p_batiment desc) end,
    'Aucun bâtiment ne porte le code ou le nom « %s ».');
end $$;
comment on function echange._batiment is 'Le bâtiment que nomme une ligne, par code ou nom, sinon identifiant.';

create function echange._logement(p_id_logement bigint, p_logement text, p_batiment text) returns bigint
language plpgsql volatile as $$
begin
  if p_id_logement is null and p_logement is null then
    perform echange._inconnu('logement', 'Ce champ est obligatoire.');
  end if;
  return echange._trouver('logement', coalesce(p_logement, p_id_logement::text), case when p_logement is null
    then array(select l.id_logement from residence.logement_vue l where l.id_logement = p_id_logement)
    else array(select l.id_logement from residence.logement_vue l
                where (lower(l.numero) = lower(p_logement) or lower(l.nom) = lower(p_logement))
                  and (p_batiment is null or l.id_batiment = echange._batiment(null, p_batiment))) end,
    'Aucun logement ne porte le numéro ou le nom « %s ».',
    'Plusieurs logements portent le nom « %s » : donnez le numéro du bon.');
end $$;
comment on function echange._logement is 'Le logement que nomme une ligne, par numéro ou nom, sinon identifiant.';

create function echange._produit(p_id_produit bigint, p_reference text, p_nom text) returns bigint
language plpgsql volatile as $$
declare
  v_produits bigint[];
begin
  if p_reference is not null then
    v_produits := array(select p.id_produit from market.produit_vue p
                         where p.reference = p_reference or p.code_barre = p_reference
                         order by p.reference = p_reference desc limit 1);
  elsif p_id_produit is not null then
    v_produits := array(select p.id_produit from market.produit_vue p where p.id_produit = p_id_produit);
  elsif p_nom is not null then
    v_produits := array(select p.id_produit from market.produit_vue p where lower(p.nom) = lower(p_nom));
  else
    perform echange._inconnu('reference', 'Ce champ est obligatoire.');
  end if;
  return echange._trouver(
    'reference', coalesce(p_reference, p_id_produit::text, p_nom), v_produits,
    'Aucun produit ne porte la référence ou le nom « %s ».',
    'Plusieurs produits portent le nom « %s » : donnez la référence du bon.');
end $$;
comment on function echange._produit is 'Le produit que nomme une ligne : référence, code-barres, identifiant, nom.';

create function echange._activite(p_id_activite bigint, p_activite text) returns bigint
language sql volatile
return echange._trouver('activite', coalesce(p_activite, p_id_activite::text), array(
  select a.id_activite from core.activite a
   where case when p_activite is null then a.id_activite = p_id_activite
              else a.code = upper(p_activite) or lower(a.libelle) = lower(p_activite) end
   order by a.id_activite), 'Aucune activité ne s''appelle « %s ».');
comment on function echange._activite is 'L''activité que nomme une ligne : code, libellé, sinon identifiant.';

-- True of what an import made and then undid, where nothing is ever deleted.
create function echange._defait(p_entite echange.entite, p_id_entite bigint) returns boolean
language sql stable
return exists (select from echange.ligne l join echange.import i on i.id_import = l.id_import
                where l.id_entite = p_id_entite and l.issue = 'ANNULEE' and i.entite = p_entite);
comment on function echange._defait is 'Vrai de ce qu''un import a fait, puis défait.';
