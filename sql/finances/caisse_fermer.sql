create type finances.caisse_fermee as (id_caisse bigint, id_periode bigint, fermee boolean);
comment on type finances.caisse_fermee is 'Période que l''on vient de fermer.';

create function finances.caisse_fermer(p_id_caisse bigint, p_motif core.texte default null)
returns finances.caisse_fermee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caisse finances.caisse_detail_vue := finances.caisse_detail(p_id_caisse);
  v_id_periode bigint;
begin
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), p_id_caisse::integer);
  update finances.periode_caisse p
     set fermeture = clock_timestamp(), id_utilisateur_fermeture = core.utilisateur(), motif_fermeture = p_motif
   where p.id_caisse = p_id_caisse and p.fermeture is null
  returning p.id_periode into v_id_periode;
  if v_id_periode is null then
    perform core.refuser(404, 'CAISSE_DEJA_FERMEE', format('La caisse « %s » est déjà fermée.', v_caisse.libelle));
  end if;
  return row(p_id_caisse, v_id_periode, true)::finances.caisse_fermee;
end $$;
comment on function finances.caisse_fermer is
  'Ferme la période ouverte de la caisse, après les mouvements en cours d''écriture. Avec FINANCES.SUPPRIMER et un motif, elle n''attend pas les opérations qu''un appareil a annoncées.';
-- The function closes the open period and changes nothing else of it.
call core.ne_refuse_pas('finances.caisse_fermer', 'PERIODE_CAISSE_FIGEE');
