create function facturation.prestation_facturer(
  p_id_prestation bigint, p_montant core.montant, p_id_moyen bigint, p_id_client bigint default null,
  p_client client.client_nouveau default null, p_lignes facturation.ligne_entree[] default null,
  p_remise core.montant default null)
returns facturation.reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v record;
  v_lignes facturation.ligne_a_facturer[];
begin
  select p.id_prestation, p.libelle, p.prix, p.id_activite, p.actif, p.code_taxe into strict v
    from facturation.prestation_vue p where p.id_prestation = p_id_prestation;
  if not v.actif then
    perform core.refuser(409, 'PRESTATION_INACTIVE', format('La prestation « %s » est désactivée.', v.libelle));
  end if;
  if cardinality(p_lignes) > 0 then
    v_lignes := array(select facturation._ligne(l.libelle, l.quantite, l.prix_unitaire, v.code_taxe)
                        from unnest(p_lignes) with ordinality l order by l.ordinality);
  else
    v_lignes := array[facturation._ligne(v.libelle, 1, v.prix, v.code_taxe)];
  end if;
  return finances._facture_regler(
    p_source_type => 'PRESTATION', p_source_id => v.id_prestation, p_id_activite => v.id_activite,
    p_id_client => client._client_resoudre(p_id_client, p_client), p_libelle => v.libelle,
    p_lignes => v_lignes, p_remise => p_remise, p_montant => p_montant, p_id_moyen => p_id_moyen);
end $$;
comment on function facturation.prestation_facturer is
  'Facture une prestation et encaisse le montant payé, en tout ou en partie ; 0 laisse la facture impayée. Les lignes données remplacent le prix de la prestation.';
