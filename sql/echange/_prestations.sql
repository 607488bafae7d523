create type echange.prestations as (
  libelle core.libelle, prix core.montant, categorie core.libelle, description core.texte, activite core.libelle,
  id_activite bigint, actif boolean);
comment on type echange.prestations is 'Une ligne d''une feuille de prestations.';
comment on column echange.prestations.libelle is 'Libellé : ce qui est facturé.';
comment on column echange.prestations.prix is 'Prix : d''une prestation.';
comment on column echange.prestations.categorie is 'Catégorie : pour les ranger.';
comment on column echange.prestations.description is 'Description : en quelques mots.';
comment on column echange.prestations.activite is 'Activité : code ou libellé ; de toutes si rien n''est dit.';
comment on column echange.prestations.id_activite is 'Identifiant de l''activité : si son code n''est pas donné.';
comment on column echange.prestations.actif is 'Actif : oui ou non, oui si rien n''est dit.';
call core.peut_etre_null('echange.prestations', 'categorie', 'description', 'activite', 'id_activite', 'actif');

create function echange._prestations(p echange.prestations) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_activite bigint := coalesce(echange._activite((p).id_activite, (p).activite), core.activite());
  v_id_prestation bigint := (
    select x.id_prestation from facturation.prestation x
     where lower(x.libelle) = lower((p).libelle) and x.id_activite is not distinct from v_id_activite limit 1);
begin
  return row(
    coalesce(v_id_prestation, (facturation.prestation_creer(
      p_libelle => (p).libelle, p_prix => (p).prix, p_categorie => (p).categorie, p_description => (p).description,
      p_id_activite => v_id_activite, p_actif => coalesce((p).actif, true))).id_prestation),
    v_id_prestation is not null, concat_ws('|', lower((p).libelle), v_id_activite))::echange.issue;
end $$;
comment on function echange._prestations is 'Ajoute une prestation ; le même libellé dans l''activité existe déjà.';
