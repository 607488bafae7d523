create type echange.logements as (
  batiment core.libelle, id_batiment bigint, numero core.libelle, nom core.libelle, type residence.type_logement,
  tarif core.montant, equipements core.texte, statut residence.statut_logement, etat core.texte);
comment on type echange.logements is 'Une ligne d''une feuille de logements.';
comment on column echange.logements.batiment is 'Bâtiment : code ou nom d''un bâtiment qui existe.';
comment on column echange.logements.id_batiment is 'Identifiant du bâtiment : si son code n''est pas donné.';
comment on column echange.logements.numero is 'Numéro : sans lui, la base en donne un.';
comment on column echange.logements.nom is 'Nom : comme on l''appelle.';
comment on column echange.logements.type is 'Type de logement : chambre, studio, appartement ou meublé.';
comment on column echange.logements.tarif is 'Tarif : loyer ou prix indicatif.';
comment on column echange.logements.equipements is 'Équipements : en quelques mots.';
comment on column echange.logements.statut is 'Statut : DISPONIBLE si rien n''est dit ; un logement occupé ou réservé l''est par son bail, à importer ensuite.';
comment on column echange.logements.etat is 'État : constaté, en quelques mots.';
call core.peut_etre_null('echange.logements', 'batiment', 'id_batiment', 'numero', 'nom', 'equipements', 'statut',
  'etat');

create function echange._logements(p echange.logements) returns echange.issue
language plpgsql volatile as $$
declare
  v echange.issue;
  -- The code of the building also names it in a sheet from another database.
  v_id_batiment bigint := echange._batiment((p).id_batiment, (p).batiment);
begin
  if (p).numero is not null then
    v.repere := concat_ws('|', v_id_batiment, lower((p).numero));
    select l.id_logement into v.id_entite from residence.logement l
     where l.id_batiment = v_id_batiment and lower(l.numero) = lower((p).numero);
  elsif (p).nom is not null then
    v.repere := concat_ws('|', v_id_batiment, lower((p).nom));
    select l.id_logement into v.id_entite from residence.logement l
     where l.id_batiment = v_id_batiment and lower(l.nom) = lower((p).nom) limit 1;
  end if;
  v.deja := v.id_entite is not null;
  if not v.deja then
    v.id_entite := (residence.logement_creer(
      p_id_batiment => v_id_batiment, p_type => (p).type, p_tarif => (p).tarif, p_numero => (p).numero,
      p_nom => (p).nom, p_equipements => (p).equipements,
      p_statut => case when (p).statut in ('OCCUPE', 'RESERVE') then 'DISPONIBLE'
                       else coalesce((p).statut, 'DISPONIBLE') end,
      p_etat => (p).etat)).id_logement;
  end if;
  return v;
end $$;
comment on function echange._logements is 'Crée un logement ; le même numéro, ou nom, du bâtiment existe déjà.';
