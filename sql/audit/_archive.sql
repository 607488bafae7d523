-- The archived months of the journal. app/leaves/archives/archive.py moves a month to the store and back.
--
-- The seals keep the fingerprints, so an archived month is still verified: the base skips its entries, and
-- `comptoir archive --verifier` compares the file with the seals. A forged row can hide deleted entries only from the
-- first of these.

create trigger t20_archive_figee before update or delete or truncate on audit.archive
  for each statement execute function audit._t20_registre_fige();

create function audit._archivees(p_rang bigint) returns int8multirange
language sql stable
return coalesce((select range_agg(a.ids) from audit.archive a
                  where p_rang between a.du_rang and a.au_rang
                    and not exists (select from audit.partie_vue p where p.nom = a.partie)), '{}');
comment on function audit._archivees is
  'Entrées du journal que ce sceau couvre et qui sont dans le stockage, parmi d''autres ; celles d''un mois remis n''en sont plus.';
