-- Locks: see _ligne.sql.

create type tresorerie.nature_constat as enum ('PAIEMENT', 'FRAIS', 'VIREMENT');
comment on type tresorerie.nature_constat is 'PAIEMENT reçu, FRAIS de la banque (une dépense), ou VIREMENT avec une caisse ou un autre compte.';

create function tresorerie.ligne_constater(
  p_id_ligne bigint, p_nature tresorerie.nature_constat, p_id_facture bigint default null,
  p_id_activite bigint default null, p_id_categorie_depense bigint default null, p_id_caisse bigint default null,
  p_id_compte bigint default null, p_motif core.libelle default null)
returns tresorerie.ligne_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.ligne := tresorerie._ligne_tenir(p_id_ligne, false);
  v_compte tresorerie.compte := tresorerie._compte_lu(v.id_compte);
  v_ici tresorerie.cote_virement := row(null, v.id_compte);
  v_autre tresorerie.cote_virement := row(p_id_caisse, p_id_compte);
  v_date timestamptz := core.debut_du_jour(v.jour);
  v_libelle text := coalesce(p_motif, left(v.libelle, 200));
  v_reference text := left(coalesce(v.reference, v.identifiant), 200);
begin
  if (p_nature = 'PAIEMENT' and v.montant < 0) or (p_nature = 'FRAIS' and v.montant > 0) then
    perform core.refuser(409, 'CONSTAT_DE_L_AUTRE_SENS',
                         'Un paiement constaté entre sur le compte, et des frais en sortent.');
  end if;
  if p_nature = 'PAIEMENT' then
    perform tresorerie._ligne_lier(v, 'CONSTAT', array[(finances.paiement_creer(
      v.montant, v_compte.id_moyen, coalesce(p_id_activite, v_compte.id_activite), null, v_date, v_libelle, v_reference,
      p_id_facture)).id_paiement], null, null);
  elsif p_nature = 'FRAIS' then
    perform tresorerie._ligne_lier(v, 'CONSTAT', null, (finances.depense_creer(
      p_montant => -v.montant, p_id_categorie_depense => p_id_categorie_depense, p_libelle => v_libelle,
      p_date => v_date, p_id_activite => coalesce(p_id_activite, v_compte.id_activite),
      p_id_compte => v.id_compte)).id_depense, null);
  else
    perform tresorerie._ligne_lier(v, 'CONSTAT', null, null, (tresorerie.virement_creer(
      case when v.montant < 0 then v_ici else v_autre end, case when v.montant < 0 then v_autre else v_ici end,
      abs(v.montant), 0, null, v_reference, v_date)).id_virement);
  end if;
  return tresorerie._ligne(p_id_ligne);
end $$;
comment on function tresorerie.ligne_constater is
  'Fait la pièce qui manque ici : un paiement, une dépense de frais ou un virement.';
-- The caller gives the activity and the category of what is found.
call core.peut_refuser('tresorerie.ligne_constater', 'PAIEMENT_ACTIVITE_INCONNUE', 'DEPENSE_ACTIVITE_INCONNUE',
  'DEPENSE_CATEGORIE_INCONNUE');
call core.ne_refuse_pas('tresorerie.ligne_constater', 'VIREMENT_MOYEN_EN_CAISSE'); -- it gives no « id_moyen »
