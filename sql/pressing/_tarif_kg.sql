-- The price of a kilogram of linen. A new price is a new row, so that the history remains.

create view pressing.tarif_kg_vue as
select t.id_tarif_kg, t.prix_kg, t.date_creation, t.id_utilisateur, core.jour(t.date_creation) as date_effet
  from pressing.tarif_kg t
 where (select pressing._visible());
comment on view pressing.tarif_kg_vue is 'Prix du kilo, présent et passés.';
comment on column pressing.tarif_kg_vue.date_effet is 'Date de gestion où il a été fixé : il vaut dès cet instant.';
call core.jamais_null('pressing.tarif_kg_vue', 'date_effet');

create trigger t10_tarif_kg_auteur before insert on pressing.tarif_kg
  for each row execute function core._t10_auteur();

call core.figer('TARIF_KG_FIGE', 'Un prix du kilo ne change ni ne s''efface : fixez-en un nouveau.',
  'before update or delete on pressing.tarif_kg');
