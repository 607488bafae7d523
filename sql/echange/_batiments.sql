create type echange.batiments as (code residence.code_batiment, nom core.libelle, adresse core.texte, actif boolean);
comment on type echange.batiments is 'Une ligne d''une feuille de bâtiments.';
comment on column echange.batiments.code is 'Code : une lettre, ou un mot court.';
comment on column echange.batiments.nom is 'Nom : comme on l''appelle.';
comment on column echange.batiments.adresse is 'Adresse : rue, quartier, ville.';
comment on column echange.batiments.actif is 'Actif : oui ou non, oui si rien n''est dit.';
call core.peut_etre_null('echange.batiments', 'adresse', 'actif');

create function echange._batiments(p echange.batiments) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_batiment bigint := (select b.id_batiment from residence.batiment b where b.code = (p).code);
begin
  if v_id_batiment is null then
    perform abonnement._acces_exiger();
  end if;
  return row(
    coalesce(v_id_batiment, (residence.batiment_creer(
      p_code => (p).code, p_nom => (p).nom, p_adresse => (p).adresse,
      p_actif => coalesce((p).actif, true))).id_batiment),
    v_id_batiment is not null, (p).code)::echange.issue;
end $$;
comment on function echange._batiments is 'Crée un bâtiment ; le même code existe déjà.';
