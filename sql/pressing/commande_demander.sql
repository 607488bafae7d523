create function pressing.commande_demander(p_date_depot_souhaitee date default null, p_notes core.texte default null)
returns pressing.portail_commande
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v_id_commande bigint;
begin
  -- The day counts until its end.
  perform core._demande_a_venir(core.debut_du_jour(p_date_depot_souhaitee + 1));
  insert into pressing.commande as c (id_client, statut, origine, date_depot_souhaitee, notes)
  values (v_id_client, 'EN_ATTENTE', 'PORTAIL', p_date_depot_souhaitee, p_notes)
  returning c.id_commande into v_id_commande;
  return pressing.portail_commande_detail(v_id_commande);
end $$;
comment on function pressing.commande_demander is
  'Annonce un dépôt de linge au nom du client connecté. Le personnel en compte et en pèse les pièces quand il le reçoit.';
-- A request has no lines, and its row exists when its detail is read.
call core.ne_refuse_pas('pressing.commande_demander', 'LIGNE_SELON_LE_MODE', 'NOT_FOUND');
