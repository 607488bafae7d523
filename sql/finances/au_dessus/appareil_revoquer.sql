-- The key is deleted, so it is worth nothing at the commit. The operations of the device stay.
create function finances.appareil_revoquer(p_id_caisse bigint, p_id_appareil bigint, p_motif core.texte default null)
returns finances.appareil_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.appareil;
begin
  perform finances._appareil_permis(p_id_caisse, p_id_appareil);
  select * into strict v from finances.appareil a where a.id_appareil = p_id_appareil for no key update;
  if v.date_revocation is not null then
    perform core.refuser(409, 'APPAREIL_REVOQUE', 'Cet appareil est déjà révoqué.');
  elsif v.sequence_annoncee > finances._derniere_sequence(p_id_appareil) then
    perform finances._appareils_exiger(p_id_caisse, p_motif);
  end if;
  update finances.appareil a set date_revocation = clock_timestamp(), motif_revocation = p_motif
   where a.id_appareil = p_id_appareil;
  delete from auth.cle c where c.id_cle = v.id_cle;
  return (select a from finances.appareil_vue a where a.id_appareil = p_id_appareil);
end $$;
comment on function finances.appareil_revoquer is
  'Révoque un appareil : sa clé ne vaut plus. S''il manque des opérations annoncées, il faut un motif et FINANCES.SUPPRIMER.';
-- The device keeps its till and its numbers.
call core.ne_refuse_pas('finances.appareil_revoquer', 'APPAREIL_FIGE');
