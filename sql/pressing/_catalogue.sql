-- The catalogue of garment types and services. An order copies their labels, so a changed label changes no order. It
-- keeps the service that the label named, whose tax its invoice has.

create view pressing.type_vetement_vue as
select t.id_type_vetement, t.libelle, t.actif
  from pressing.type_vetement t
 where (select pressing._visible());
comment on view pressing.type_vetement_vue is 'Types de vêtement du catalogue.';

create view pressing.prestation_pressing_vue as
select p.id_prestation, p.libelle, p.actif, p.code_taxe::core.code
  from pressing.prestation p
 where (select pressing._visible());
comment on view pressing.prestation_pressing_vue is 'Prestations du catalogue.';
call core.null_comme('pressing.prestation_pressing_vue', 'pressing.prestation');

create function pressing._t20_ligne_catalogue() returns trigger
language plpgsql volatile as $$
begin
  perform core._catalogue_exiger(new.type_vetement, exists (
    select from pressing.type_vetement t where t.libelle = new.type_vetement and t.actif));
  perform core._catalogue_exiger(new.prestation, exists (
    select from pressing.prestation p where p.libelle = new.prestation and p.actif));
  return new;
end $$;
comment on function pressing._t20_ligne_catalogue is
  'Les deux libellés d''une ligne du catalogue y sont, actifs. Refuse LIBELLE_HORS_CATALOGUE.';

create trigger t20_ligne_catalogue before insert or update of type_vetement, prestation, hors_catalogue
  on pressing.commande_ligne for each row when (not new.hors_catalogue)
  execute function pressing._t20_ligne_catalogue();

create function pressing._t10_ligne_prestation() returns trigger
language plpgsql volatile as $$
begin
  if tg_op = 'INSERT' or new.prestation <> old.prestation then
    new.id_prestation := (select p.id_prestation from pressing.prestation p where p.libelle = new.prestation);
  end if;
  return new;
end $$;
comment on function pressing._t10_ligne_prestation is 'Prestation du catalogue que nomme le libellé d''une ligne.';

create trigger t10_ligne_prestation before insert or update of prestation on pressing.commande_ligne
  for each row execute function pressing._t10_ligne_prestation();
