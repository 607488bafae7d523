create function finances.lot_annoncer(p_id_caisse bigint, p_id_appareil bigint, p_derniere_sequence bigint default 0)
returns finances.appareil_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances._appareil_permis(p_id_caisse, p_id_appareil);
  update finances.appareil a set sequence_annoncee = p_derniere_sequence
   where a.id_appareil = p_id_appareil and a.id_cle = core.cle() and p_derniere_sequence > a.sequence_annoncee;
  if not exists (select from finances.appareil a where a.id_appareil = p_id_appareil and a.id_cle = core.cle()) then
    perform core.refuser(403, 'APPAREIL_SANS_CLE', 'Un appareil envoie ses opérations avec sa clé.');
  end if;
  return (select a from finances.appareil_vue a where a.id_appareil = p_id_appareil);
end $$;
comment on function finances.lot_annoncer is 'Note jusqu''où un appareil a numéroté ses opérations.';
