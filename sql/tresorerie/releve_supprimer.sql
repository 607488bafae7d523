-- Locks: see _ligne.sql.

create function tresorerie.releve_supprimer(p_id_releve bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform tresorerie._rapprochement_tenir((tresorerie.releve_detail(p_id_releve)).id_compte);
  delete from tresorerie.rapprochement r
   where r.id_ligne in (select l.id_ligne from tresorerie.ligne l where l.id_releve = p_id_releve);
  delete from tresorerie.ligne l where l.id_releve = p_id_releve;
  delete from tresorerie.releve r where r.id_releve = p_id_releve;
end $$;
comment on function tresorerie.releve_supprimer is
  'Retire un relevé envoyé par erreur, les lignes qu''il a apportées et leurs rapprochements, si leurs mois sont ouverts. Ce qui a été constaté d''après elles reste. Un autre relevé qui avait aussi ces lignes les rend quand il est renvoyé.';
