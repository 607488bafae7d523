-- The credit of a client: what credit notes leave, less what payments take. Its ledger is the only place that keeps it.
-- Lock: the client.

create view finances.mouvement_credit_vue as
select m.id_mouvement, m.date, m.montant, coalesce(a.motif, p.motif) as motif, m.id_avoir,
       coalesce(a.id_facture, p.id_facture, (
         select case when min(x.id_facture) = max(x.id_facture) then min(x.id_facture) end
           from finances.application_paiement x where x.id_paiement = m.id_paiement)) as id_facture,
       m.id_paiement, m.id_client
  from finances.mouvement_credit m
  left join facturation.avoir a on a.id_avoir = m.id_avoir
  left join finances.paiement p on p.id_paiement = m.id_paiement
 where core._visible(coalesce(a.id_activite, p.id_activite), (select core.activite()));
comment on view finances.mouvement_credit_vue is
  'Mouvements du crédit des clients que l''utilisateur peut voir : ceux des avoirs et des paiements de son activité, ou tous.';
comment on column finances.mouvement_credit_vue.motif is 'Celui de l''avoir ou du paiement.';
comment on column finances.mouvement_credit_vue.id_facture is 'Facture créditée, ou payée au crédit ; null si le paiement en règle plusieurs.';
call core.peut_etre_null('finances.mouvement_credit_vue', 'motif', 'id_facture');

create function finances._credit(p_id_client bigint) returns numeric
language sql stable
return (select coalesce(sum(m.montant), 0) from finances.mouvement_credit m where m.id_client = p_id_client);
comment on function finances._credit is 'Solde du crédit d''un client.';

create function finances._credit_du_jour(
  p_id_client bigint, p_du date, p_avant date default 'infinity', p_sauf bigint default null) returns numeric
language sql stable
return (
  select min(x.solde)
    from (select m.jour, sum(sum(m.montant)) over (order by m.jour) as solde
            from (select coalesce(p.jour, a.jour) as jour, m.montant
                    from finances.mouvement_credit m
                    left join finances.paiement p on p.id_paiement = m.id_paiement
                    left join facturation.avoir a on a.id_avoir = m.id_avoir
                   where m.id_client = p_id_client and m.id_paiement is distinct from coalesce(p_sauf, 0)
                  union all
                  select p_du, 0) m
           group by m.jour) x
   where x.jour >= p_du and x.jour < p_avant);
comment on function finances._credit_du_jour is
  'Plus petit solde du crédit d''un client depuis un jour, et avant un autre, sans compter un paiement : ce qui peut s''y prendre ce jour-là. Chaque mouvement a le jour de son paiement, sinon de son avoir.';

create function finances._credit_verifier(p_solde numeric, p_montant numeric, p_jour date) returns void
language plpgsql stable as $$
begin
  if p_solde + p_montant < 0 then
    perform core.refuser(409, 'CREDIT_INSUFFISANT',
      case p_jour
        when core.aujourdhui() then
          format('Le crédit de ce client ne suffit pas : il est de %s.', core.montant_ecrire(p_solde))
        else format('Le crédit de ce client ne suffit pas : il était de %s le %s.', core.montant_ecrire(p_solde),
                    to_char(p_jour, 'DD/MM/YYYY')) end,
      jsonb_build_object('solde', p_solde::text));
  end if;
end $$;
comment on function finances._credit_verifier is 'Le crédit d''un client n''est négatif aucun jour.';

-- The lock makes two payments from one credit follow each other: the second one sees the movements of the first.
create function finances._t50_credit_suffisant() returns trigger
language plpgsql volatile as $$
declare
  v_jour date := (select p.jour from finances.paiement p where p.id_paiement = new.id_paiement);
begin
  perform from client.client c where c.id_client = new.id_client for no key update;
  if new.montant < 0 then
    perform finances._credit_verifier(finances._credit_du_jour(new.id_client, v_jour), new.montant, v_jour);
  end if;
  return new;
end $$;
comment on function finances._t50_credit_suffisant is 'Le crédit d''un client ne se prend pas avant d''exister.';

-- A payment that moves to an earlier day takes the credit from that day; a refund on a later day gives it later. The
-- counter-payment of a cancelled payment is not in credit, and may take back what a credit note had left.
create function finances._credit_deplacer(p_avant finances.paiement, p_apres finances.paiement) returns void
language plpgsql volatile as $$
declare
  v record;
begin
  select m.id_client, sum(m.montant) as montant into v
    from finances.mouvement_credit m where m.id_paiement = (p_apres).id_paiement group by m.id_client;
  if not found then
    return;
  end if;
  perform from client.client c where c.id_client = v.id_client for no key update;
  if v.montant < 0 then
    perform finances._credit_verifier(
      finances._credit_du_jour(v.id_client, (p_apres).jour, p_sauf => (p_apres).id_paiement), v.montant,
      (p_apres).jour);
  elsif (p_apres).jour > (p_avant).jour then
    perform finances._credit_verifier(
      finances._credit_du_jour(v.id_client, (p_avant).jour, (p_apres).jour, (p_apres).id_paiement), 0, (p_avant).jour);
  end if;
end $$;
comment on function finances._credit_deplacer is 'Vérifie qu''un paiement au crédit peut changer de jour.';

create trigger t50_credit_suffisant before insert on finances.mouvement_credit
  for each row execute function finances._t50_credit_suffisant();

create function finances._credit_laisse(p_id_facture bigint) returns numeric
language sql stable
return (select coalesce(sum(m.montant), 0) from facturation.avoir a
          join finances.mouvement_credit m on m.id_avoir = a.id_avoir where a.id_facture = p_id_facture);
comment on function finances._credit_laisse is 'Ce que les avoirs d''une facture laissent au crédit de son client, reprises déduites.';

-- The excess that became credit came from a payment. When this payment is cancelled, the credit is taken back.
create function finances._credit_reprendre(p_id_facture bigint, p_montant numeric, p_id_paiement bigint) returns void
language plpgsql volatile as $$
declare
  v facturation.facture;
  v_repris numeric;
begin
  select * into strict v from facturation.facture f where f.id_facture = p_id_facture for no key update;
  v_repris := v.montant_credit - greatest(v.montant_paye - p_montant - (v.montant_total - v.montant_avoirs), 0);
  if v_repris > 0 then
    insert into finances.mouvement_credit (id_client, montant, id_avoir, id_paiement)
    select v.id_client, -v_repris, max(a.id_avoir), p_id_paiement
      from facturation.avoir a where a.id_facture = p_id_facture and not a.rembourse and a.montant_excedent > 0;
    update facturation.facture f set montant_credit = f.montant_credit - v_repris where f.id_facture = p_id_facture;
  end if;
end $$;
comment on function finances._credit_reprendre is
  'Reprend le crédit qu''un avoir a laissé et que n''explique plus ce qu''une facture garde, une fois ce montant annulé. Refuse CREDIT_INSUFFISANT si le client l''a déjà pris.';

call core.figer('CREDIT_FIGE', 'Un mouvement de crédit ne change ni ne s''efface.',
  'before update or delete on finances.mouvement_credit');

create function finances._t70_avoir_credit() returns trigger
language plpgsql volatile as $$
begin
  insert into finances.mouvement_credit (id_client, montant, id_avoir)
  values (new.id_client, new.montant_excedent, new.id_avoir);
  return null;
end $$;
comment on function finances._t70_avoir_credit is 'Porte au crédit du client l''excédent d''un avoir qui n''est pas rendu.';
-- The movement adds to the credit.
call core.ne_refuse_pas('finances._t70_avoir_credit', 'CREDIT_INSUFFISANT');

create trigger t70_avoir_credit after insert on facturation.avoir
  for each row when (not new.rembourse and new.montant_excedent > 0) execute function finances._t70_avoir_credit();
