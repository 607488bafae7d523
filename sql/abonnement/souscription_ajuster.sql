create function abonnement.souscription_ajuster(
  p_id_souscription bigint, p_quantite abonnement.quantite_signee, p_motif core.libelle)
returns abonnement.souscription_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (abonnement._souscription_verrouiller(p_id_souscription)).statut <> 'ACTIVE' then
    perform core.refuser(409, 'SOUSCRIPTION_CLOSE',
      'Cet abonnement est résilié ou annulé : son solde ne s''ajuste plus.');
  end if;
  insert into abonnement.mouvement (id_souscription, type, quantite, motif)
  values (p_id_souscription, 'AJUSTEMENT', p_quantite, p_motif);
  return abonnement.souscription_detail(p_id_souscription);
end $$;
comment on function abonnement.souscription_ajuster is
  'Ajoute des unités à un abonnement, ou en retire ; le solde reste zéro au moins.';
-- The quantity may be zero.
call core.peut_refuser('abonnement.souscription_ajuster', 'MOUVEMENT_SENS');
