-- Locks: see _virement.sql.

create function tresorerie._depart_verifier(p_de tresorerie.cote_virement) returns void
language plpgsql stable as $$
begin
  if core.caisse() is not null and (p_de).id_caisse is distinct from core.caisse() then
    perform core.refuser(400, 'CAISSE_INTERDITE', 'Vous n''avez accès qu''à votre caisse.');
  end if;
  perform tresorerie._compte_permis_verifier(c) from tresorerie.compte c where c.id_compte = (p_de).id_compte;
end $$;
comment on function tresorerie._depart_verifier is 'Un utilisateur ne retire que de ce dont il voit le solde, et celui d''une caisse que de la sienne.';

create function tresorerie._endroit_verifier(p_endroit tresorerie.cote_virement) returns void
language plpgsql stable as $$
begin
  if (p_endroit).id_caisse is not null then
    perform finances.caisse_detail((p_endroit).id_caisse);
  end if;
  if (p_endroit).id_compte is not null then
    perform tresorerie._compte((p_endroit).id_compte);
  end if;
end $$;
comment on function tresorerie._endroit_verifier is 'Refuse NOT_FOUND pour une caisse ou un compte que l''utilisateur ne voit pas.';

create function tresorerie.virement_creer(
  p_de tresorerie.cote_virement, p_vers tresorerie.cote_virement, p_montant core.montant_du_reglement,
  p_frais core.montant default 0, p_id_moyen bigint default null,
  p_reference core.libelle default null, p_date timestamptz default null)
returns tresorerie.virement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_virement bigint;
begin
  perform core._montant_verifier('montant', p_montant);
  perform core._montant_verifier('frais', p_frais);
  perform tresorerie._endroit_verifier(p_de);
  perform tresorerie._endroit_verifier(p_vers);
  perform tresorerie._depart_verifier(p_de);
  insert into tresorerie.virement as v (id_caisse_de, id_compte_de, id_caisse_vers, id_compte_vers, montant, frais,
                                        id_moyen, reference, date)
  values (p_de.id_caisse, p_de.id_compte, p_vers.id_caisse, p_vers.id_compte, p_montant, coalesce(p_frais, 0),
          p_id_moyen, p_reference, coalesce(p_date, now()))
  returning v.id_virement into v_id_virement;
  return tresorerie.virement_detail(v_id_virement);
end $$;
comment on function tresorerie.virement_creer is
  'Passe de l''argent d''une caisse ou d''un compte à un autre, aux règles des caisses ; les frais sont à la charge du départ. « id_moyen » dit par quoi la caisse avait reçu cet argent quand ce ne sont pas des espèces.';
-- The fields of both places become columns of the transfer.
call core.peut_refuser('tresorerie.virement_creer', 'VIREMENT_D_UN_ENDROIT', 'VIREMENT_VERS_UN_ENDROIT',
  'VIREMENT_SUR_PLACE', 'VIREMENT_MOYEN_EN_CAISSE');
