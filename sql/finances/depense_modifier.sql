create type finances.depense_champs as (
  date timestamptz, montant core.montant_du_reglement, id_categorie_depense bigint, id_activite bigint,
  libelle core.libelle, justificatif core.texte);
comment on type finances.depense_champs is 'Ce qui se modifie d''une dépense ; sa caisse n''en est pas.';
comment on column finances.depense_champs.montant is 'Change tant que la période de caisse est ouverte.';

create function finances.depense_modifier(p_id_depense bigint, p_champs jsonb) returns finances.depense_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances.depense_detail(p_id_depense);
  update finances.depense d
     set (date, montant, id_categorie_depense, id_activite, libelle, justificatif) = (
           select n.date, n.montant, n.id_categorie_depense, n.id_activite, n.libelle, n.justificatif
             from jsonb_populate_record(d, p_champs) n)
   where d.id_depense = p_id_depense;
  return finances.depense_detail(p_id_depense);
end $$;
comment on function finances.depense_modifier is
  'Modifie une dépense ; son montant et son jour tant que sa période de caisse est ouverte.';
-- The activity may change, and the till may not.
call core.peut_refuser('finances.depense_modifier', 'CAISSE_D_UNE_AUTRE_ACTIVITE');
-- The function writes neither the till nor the author.
call core.ne_refuse_pas('finances.depense_modifier', 'DEPENSE_FIGEE');
