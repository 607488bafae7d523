-- Locks, in this order: the payment, the till (shared).

create function finances._paiement_libre(p_id_paiement bigint) returns numeric
language sql stable
return (select coalesce(sum(-finances._sortie(p)
                            - (select coalesce(sum(a.montant), 0) from finances.imputation_vue a
                                where a.id_paiement = p.id_paiement)), 0)
          from finances.paiement p
         where (select o.type from finances.paiement o
                 where o.id_paiement = p_id_paiement and o.id_paiement_origine is null) = 'ENCAISSEMENT'
           and (p.id_paiement = p_id_paiement or p.id_paiement_origine = p_id_paiement));
comment on function finances._paiement_libre is
  'Part d''un encaissement qui ne règle aucune facture et n''est pas rendue ; 0 pour un décaissement et un paiement contraire.';

create function finances._paiement_factures(p_id_paiement bigint) returns table (id_facture bigint, montant numeric)
language sql stable
begin atomic
  select a.id_facture, sum(a.montant)
    from finances.paiement p
    join finances.imputation_vue a on a.id_paiement = p.id_paiement
   where p.id_paiement = p_id_paiement or p.id_paiement_origine = p_id_paiement
   group by a.id_facture
  having sum(a.montant) <> 0;
end;
comment on function finances._paiement_factures is 'Factures que règle encore un paiement, et de combien.';

-- A user without a till pays back from the till that took the money, or from no till when that till is closed.
create function finances._caisse_du_remboursement(p_id_caisse bigint) returns bigint
language plpgsql volatile as $$
begin
  if core.caisse() is not null or p_id_caisse is null then
    return core.caisse();
  end if;
  perform pg_advisory_xact_lock_shared(core._verrou('CAISSE'), p_id_caisse::integer);
  return (select p.id_caisse from finances.periode_caisse p
            join finances.caisse c on c.id_caisse = p.id_caisse
           where p.id_caisse = p_id_caisse and p.fermeture is null and c.actif);
end $$;
comment on function finances._caisse_du_remboursement is
  'Caisse d''où l''argent repart : celle de l''utilisateur s''il en a une ; sinon celle d''origine si elle est ouverte ; sinon aucune.';

create function finances._credit_client(p_id_moyen bigint, p_paiement finances.paiement) returns bigint
language sql stable
return case when finances._est_credit(p_id_moyen) then coalesce((p_paiement).id_client, (
         select min(f.id_client) from finances.imputation_vue a
           join facturation.facture f on f.id_facture = a.id_facture
          where a.id_paiement = (p_paiement).id_paiement)) end;
comment on function finances._credit_client is 'Client dont le crédit reçoit ce qu''un paiement rend, ou null.';

create function finances._paiement_rendre(
  p_id_paiement bigint, p_montant numeric, p_motif core.texte, p_reference core.libelle default null,
  p_id_moyen bigint default null, p_annulation boolean default false, p_id_caisse bigint default null,
  p_id_facture bigint default null)
returns bigint
language plpgsql volatile as $$
declare
  v finances.paiement;
  v_id_paiement bigint;
begin
  select * into strict v from finances.paiement p where p.id_paiement = p_id_paiement for no key update;
  insert into finances.paiement as p (type, montant, id_moyen, id_activite, id_caisse, motif, reference,
                                      id_paiement_origine, annulation, id_client, id_facture, date)
  values ('DECAISSEMENT', p_montant, coalesce(p_id_moyen, v.id_moyen), v.id_activite,
          coalesce(p_id_caisse, finances._caisse_du_remboursement(v.id_caisse)), p_motif, p_reference, v.id_paiement,
          p_annulation, finances._credit_client(coalesce(p_id_moyen, v.id_moyen), v), p_id_facture,
          coalesce(core.moment(), now()))
  returning p.id_paiement into v_id_paiement;
  return v_id_paiement;
end $$;
comment on function finances._paiement_rendre is
  'Écrit le paiement contraire d''un encaissement, repris tout entier à la facture donnée s''il y en a une, aux règles des caisses, et rend son identifiant. Refuse PAIEMENT_DEJA_RENDU, PERIODE_CAISSE_FERMEE, CAISSE_INACTIVE, CAISSE_D_UNE_AUTRE_ACTIVITE.';
-- Money goes back to the credit of a client, and the amount paid of an invoice decreases.
call core.ne_refuse_pas('finances._paiement_rendre', 'CREDIT_INSUFFISANT', 'SURPAIEMENT', 'FACTURE_ANNULEE');
