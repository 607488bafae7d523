call core.transitions('residence.abonnement', 'ACTIF: SUSPENDU RESILIE EXPIRE', 'SUSPENDU: ACTIF RESILIE EXPIRE');

create view residence.abonnement_vue as
select a.id_abonnement, a.id_client, a.id_logement, a.service, a.type, a.montant, a.date_debut, a.date_fin,
       f.montant_paye, a.statut, c.nom as client_nom, c.prenoms as client_prenoms, l.numero as numero_logement,
       a.id_categorie_abonnement, f.reste_a_payer, a.id_facture, f.id_facture_a_payer
  from residence.abonnement a
  join client.client c on c.id_client = a.id_client
  left join lateral (
    select coalesce(sum(x.montant_paye), 0)::core.somme as montant_paye,
           coalesce(sum(x.reste), 0)::core.somme as reste_a_payer,
           (array_agg(x.id_facture order by p.date_debut) filter (where x.reste > 0))[1] as id_facture_a_payer
      from residence.abonnement_periode p
      join facturation.facture x on x.id_facture = p.id_facture
     where p.id_abonnement = a.id_abonnement and not x.annulee) f on true
  left join residence.logement l on l.id_logement = a.id_logement
 where (select residence._visible());
comment on view residence.abonnement_vue is 'Abonnements et ce qui en est payé.';
comment on column residence.abonnement_vue.montant is 'Prix d''une période : mois, année, ou durée entière d''un PERIODIQUE.';
comment on column residence.abonnement_vue.montant_paye is 'Payé sur les factures de l''abonnement ; elles se paient par POST /finances/paiements avec id_facture.';
comment on column residence.abonnement_vue.reste_a_payer is 'Ce qui reste dû de toutes ses factures.';
comment on column residence.abonnement_vue.id_facture is 'Facture de la dernière période facturée.';
comment on column residence.abonnement_vue.id_facture_a_payer is 'La plus ancienne facture qui reste à payer, null si tout est payé.';
call core.peut_etre_null('residence.abonnement_vue', 'numero_logement', 'id_facture_a_payer');
call core.jamais_null('residence.abonnement_vue', 'montant_paye', 'reste_a_payer');

call core.verrouillage('residence._abonnement_verrouiller', 'residence.abonnement', 'id_abonnement',
  'residence.abonnement_detail(p_id_abonnement)');
comment on function residence._abonnement_verrouiller is 'Verrouille un abonnement. Refuse NOT_FOUND.';

create function residence._t10_abonnement_fin() returns trigger
language plpgsql volatile as $$
begin
  new.date_fin := least(new.date_fin, greatest(core.aujourdhui(), new.date_debut));
  return new;
end $$;
comment on function residence._t10_abonnement_fin is 'Un abonnement résilié finit ce jour, s''il ne finissait pas avant.';

create trigger t10_abonnement_fin before update of statut on residence.abonnement
  for each row when (new.statut = 'RESILIE' and old.statut <> 'RESILIE')
  execute function residence._t10_abonnement_fin();

create trigger t20_abonnement_clos before update on residence.abonnement
  for each row when (old.statut in ('RESILIE', 'EXPIRE') and old.statut = new.statut)
  execute function core._t20_refuser(
    '409', 'ABONNEMENT_CLOS', 'Cet abonnement est résilié ou expiré : il ne change plus.');

-- A subscription is billed from its creation on, and its periods are counted from its first day in steps of its type.
-- Another day, or another step, would leave days that no invoice covers.
call core.figer('ABONNEMENT_FACTURE',
  'Cet abonnement est déjà facturé : son type et son premier jour ne changent plus. Résiliez-le, puis ouvrez-en un autre.',
  'before update of type, date_debut on residence.abonnement
    when ((new.type, new.date_debut) <> (old.type, old.date_debut))');

create function residence._categorie_abonnement_active(p_id_categorie_abonnement bigint) returns void
language plpgsql volatile as $$
declare
  v abonnement.categorie_abonnement;
begin
  -- An unknown category passes: the foreign key refuses it.
  select * into v from abonnement.categorie_abonnement c
   where c.id_categorie_abonnement = p_id_categorie_abonnement for share;
  if not v.actif then
    perform core.refuser(409, 'CATEGORIE_ABONNEMENT_INACTIVE',
      format('La catégorie « %s » est désactivée.', v.libelle));
  end if;
end $$;
comment on function residence._categorie_abonnement_active is 'Refuse CATEGORIE_ABONNEMENT_INACTIVE.';

-- The slice of the categories is loaded earlier and does not know subscriptions, so residence adds this trigger to its
-- table. PostgreSQL locks the row before it calls the trigger: no subscription can take the category in the meantime.
create function residence._t20_categorie_abonnement_utilisee() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from residence.abonnement a where a.id_categorie_abonnement = old.id_categorie_abonnement) then
    perform core.refuser(409, 'CATEGORIE_ABONNEMENT_UTILISEE',
      format('La catégorie « %s » a des abonnements : désactivez-la plutôt.', old.libelle));
  end if;
  return old;
end $$;
comment on function residence._t20_categorie_abonnement_utilisee is
  'Refuse de supprimer une catégorie qu''un abonnement porte. Refuse CATEGORIE_ABONNEMENT_UTILISEE.';

create trigger t20_categorie_abonnement_utilisee before delete on abonnement.categorie_abonnement
  for each row execute function residence._t20_categorie_abonnement_utilisee();
