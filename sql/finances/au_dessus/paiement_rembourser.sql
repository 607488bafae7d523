-- Locks, in this order: the advisory lock on the payment, the leases by id, the invoices by id, the payment, the till
-- (shared).

create function finances.paiement_rembourser(
  p_id_paiement bigint, p_id_moyen bigint default null, p_montant core.montant_du_reglement default null,
  p_id_caisse bigint default null)
returns finances.paiement_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.paiement := finances._paiement_verrouiller(p_id_paiement);
  v_montant numeric := finances._paiement_excedent(p_id_paiement, p_montant);
  v_libre numeric := finances._paiement_libre(p_id_paiement);
  v_id_paiement bigint;
begin
  v_id_paiement := finances._paiement_rendre(
    p_id_paiement, v_montant, 'Remboursement du paiement ' || p_id_paiement, v.reference, p_id_moyen,
    p_id_caisse => p_id_caisse);
  if v_montant > v_libre then
    perform residence._paiement_detacher(p_id_paiement, v_id_paiement, v_montant - v_libre);
  end if;
  return finances.paiement_detail(v_id_paiement);
end $$;
comment on function finances.paiement_rembourser is
  'Rend au client ce qu''un paiement a de trop, qui ne règle rien ou dépasse ce que doit un contrat clos, tout par défaut : un paiement contraire, par le même moyen si aucun n''est donné, de la caisse donnée si l''utilisateur n''en a pas, aux règles des caisses. Rend ce paiement contraire.';
-- finances._paiement_rendre writes the row.
call core.peut_refuser('finances.paiement_rembourser', 'PAIEMENT_MOYEN_INCONNU');
-- finances._paiement_excedent refuses more than the free part.
call core.ne_refuse_pas('finances.paiement_rembourser', 'PAIEMENT_DEJA_RENDU');

create function finances._paiement_disponible(p_id_paiement bigint) returns numeric
language sql stable
return finances._paiement_libre(p_id_paiement)
     + (select coalesce(sum(t.montant), 0) from residence._paiement_trop_percu(p_id_paiement) t);
comment on function finances._paiement_disponible is
  'Ce qu''un paiement a de trop : sa part libre, et ce qui dépasse ce que doivent des contrats clos.';

create function finances._paiement_excedent(p_id_paiement bigint, p_montant numeric) returns numeric
language plpgsql stable as $$
declare
  v_disponible numeric := finances._paiement_disponible(p_id_paiement);
  v_montant numeric := coalesce(p_montant, v_disponible);
begin
  if v_disponible <= 0 then
    perform core.refuser(409, 'PAIEMENT_SANS_EXCEDENT',
                         'Ce paiement n''a rien de trop : tout est appliqué ou déjà rendu.');
  elsif v_montant > v_disponible then
    perform core.refuser(409, 'EXCEDENT_DEPASSE', 'Ce montant dépasse ce que le paiement a de trop.',
                         jsonb_build_object('libre', v_disponible::text));
  end if;
  return v_montant;
end $$;
comment on function finances._paiement_excedent is 'Ce qui se prend de l''excédent d''un paiement, tout par défaut.';
