-- A background import reads what its key may do now, as it reads the rights of its account.
-- depends: 0084.finances-identite-des-resumes
-- squawk-ignore-file adding-foreign-key-constraint -- the new column is empty
-- squawk-ignore-file require-concurrent-index-creation -- the table has one row for each sheet
alter table echange.import
  add column id_cle bigint constraint import_cle_inconnue references auth.cle on delete set null,
  drop column permissions;
create index import_id_cle on echange.import (id_cle);
update echange.import i set id_cle = c.id_cle
  from auth.cle c
 where c.id_utilisateur = i.id_utilisateur and i.cle = c.libelle || ' (' || c.prefixe || ')';
comment on column echange.import.id_cle is 'Cette clé, null dès qu''elle est supprimée : l''import ne continue plus.';
comment on constraint import_cle_inconnue on echange.import is 'Cette clé n''existe pas.';
