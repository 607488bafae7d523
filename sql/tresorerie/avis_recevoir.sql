create function tresorerie.avis_recevoir(
  p_jeton text, p_rang integer, p_corps text, p_entetes text, p_evenement core.libelle default null,
  p_authentique boolean default null, p_reference core.libelle default null, p_identifiant core.libelle default null,
  p_en_file boolean default false)
returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_compte tresorerie.compte;
  v_corps constant bytea := decode(p_corps, 'base64');
  v_signature constant tresorerie.signature_avis :=
    case p_authentique when true then 'VALIDE' when false then 'FAUSSE' else 'ABSENTE' end::tresorerie.signature_avis;
  v_issue text;
  v_id_avis bigint;
begin
  v_compte := core._trouve((select c from tresorerie.acces a join tresorerie.compte c on c.id_compte = a.id_compte
                             where a.hash = p_jeton));
  v_issue := tresorerie._avis_ecarte(v_compte, v_signature, num_nonnulls(p_reference, p_identifiant) > 0);
  -- A forged notice takes neither the number of an event nor the place of the same bytes.
  insert into tresorerie.avis as a (id_compte, evenement, corps, entetes, signature, reference, identifiant, etat,
                                    issue, essai_le)
  values (v_compte.id_compte,
          coalesce(case when v_signature <> 'FAUSSE' then p_evenement end,
                   encode(sha256(v_corps), 'hex') || ' ' || p_rang
                     || case v_signature when 'FAUSSE' then ' fausse' else '' end),
          v_corps, p_entetes::jsonb, v_signature, p_reference, p_identifiant,
          case when v_issue is null then 'RECU' else 'ECARTE' end::tresorerie.etat_avis, v_issue,
          case when v_issue is null then now() end)
  on conflict on constraint avis_existant do nothing
  returning a.id_avis into v_id_avis;
  if v_id_avis is null or v_issue is not null then
    return null;
  end if;
  if p_en_file then
    perform core._differer('avis', jsonb_build_object('id_avis', v_id_avis), p_file => 'svc-tresorerie');
  end if;
  return v_id_avis;
end $$;
comment on function tresorerie.avis_recevoir is
  'Garde un avis, une fois, et rend son numéro s''il faut interroger le fournisseur, sinon null. Le jeton est donné par son SHA-256 ; « rang » est la place de l''avis parmi ceux d''un même envoi.';
