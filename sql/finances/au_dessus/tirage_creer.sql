create function finances.tirage_creer(
  p_montant_compte core.montant, p_date date default null, p_id_caisse bigint default null,
  p_note core.texte default null, p_motif core.texte default null)
returns finances.tirage_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_caisse bigint := finances._caisse_demandee(p_id_caisse);
  v_id_tirage bigint;
begin
  if v_id_caisse is null then
    perform core.refuser(400, 'CAISSE_OBLIGATOIRE', 'Dites quelle caisse est comptée.');
  end if;
  perform finances.caisse_detail(v_id_caisse);
  insert into finances.tirage (id_caisse, date, montant_compte, montant_attendu, note, motif)
  values (v_id_caisse, coalesce(p_date, core.aujourdhui()), p_montant_compte, 0, p_note, p_motif)
  returning id_tirage into v_id_tirage;
  return core._trouve((select t from finances.tirage_vue t where t.id_tirage = v_id_tirage));
end $$;
comment on function finances.tirage_creer is
  'Compte une caisse pour un jour, aujourd''hui par défaut, et signale l''écart avec le montant attendu : ce que la caisse a reçu, rendu, dépensé et viré jusqu''à ce jour, par tous les moyens, sans son fond, et qu''aucun comptage n''a pris. L''argent des exceptions en est, dit à part. Avec FINANCES.SUPPRIMER et un motif, le comptage n''attend pas les opérations qu''un appareil a annoncées. La caisse de l''utilisateur s''il en a une ; sinon elle est obligatoire.';
