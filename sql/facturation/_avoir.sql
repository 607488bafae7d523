-- The money that a credit note gives back comes later: sql/finances/_credit.sql,
-- sql/facturation/au_dessus/avoir_creer.sql. Locks, in this order: the invoice, the counter of the numbers.

create view facturation.avoir_ligne_vue as
select l.id_ligne_avoir, l.id_avoir, l.id_ligne, f.libelle, l.quantite, l.montant, l.retour_stock,
       (l.montant - l.montant_taxe)::core.somme as montant_ht, l.montant_taxe
  from facturation.avoir_ligne l
  join facturation.facture_ligne f on f.id_ligne = l.id_ligne;
comment on view facturation.avoir_ligne_vue is 'Lignes des avoirs.';
comment on column facturation.avoir_ligne_vue.libelle is 'Libellé de la ligne de la facture.';
comment on column facturation.avoir_ligne_vue.quantite is 'Quantité créditée, null pour un montant.';
comment on column facturation.avoir_ligne_vue.montant_ht is 'montant − montant_taxe.';
comment on column facturation.avoir_ligne_vue.montant_taxe is 'Taxe comprise dans montant, 0 sans taxe.';
call core.jamais_null('facturation.avoir_ligne_vue', 'montant_ht');

create type facturation.ligne_a_crediter as (
  id_ligne bigint, quantite core.nombre, montant core.montant_du_reglement, retour_stock boolean);
comment on type facturation.ligne_a_crediter is 'Ligne de la facture à créditer, d''une quantité ou d''un montant.';
comment on column facturation.ligne_a_crediter.retour_stock is 'Vrai pour rentrer l''article en stock ; faux s''il n''est pas donné.';
call core.peut_etre_null('facturation.ligne_a_crediter', 'quantite', 'montant', 'retour_stock');

create view facturation.avoir_vue as
select a.id_avoir, a.numero, a.date, a.id_facture, f.numero as facture_numero, a.id_client, a.id_activite,
       a.id_utilisateur, a.motif, a.montant_total, a.montant_excedent, a.rembourse, a.annulation,
       c.nom as client_nom, c.prenoms as client_prenoms,
       (a.montant_total - a.montant_taxe)::core.somme as montant_ht, a.montant_taxe
  from facturation.avoir a
  left join facturation.facture f on f.id_facture = a.id_facture
  left join client.client c on c.id_client = a.id_client
 where core._visible(a.id_activite, (select core.activite()));
comment on view facturation.avoir_vue is 'Avoirs que l''utilisateur peut voir : ceux de son activité, ou tous.';
comment on column facturation.avoir_vue.facture_numero is 'Numéro de la facture créditée.';
comment on column facturation.avoir_vue.montant_excedent is 'Ce qui était payé au-delà de ce qui reste dû.';
call core.peut_etre_null('facturation.avoir_vue', 'client_nom', 'client_prenoms');
comment on column facturation.avoir_vue.montant_ht is 'montant_total − montant_taxe.';
comment on column facturation.avoir_vue.montant_taxe is 'Taxe comprise dans montant_total, 0 sans taxe.';
call core.jamais_null('facturation.avoir_vue', 'facture_numero', 'montant_ht');

create view facturation.avoir_detail_vue as
select a.*, array(select l from facturation.avoir_ligne_vue l
                   where l.id_avoir = a.id_avoir order by l.id_ligne_avoir) as lignes,
       facturation._avoir_taxes(a.id_avoir) as taxes
  from facturation.avoir_vue a;
comment on view facturation.avoir_detail_vue is 'Avoir, ses lignes et ses taxes.';
comment on column facturation.avoir_detail_vue.taxes is 'Par code et taux ; vide sans taxe.';

-- The discount of an invoice is shared among its lines, and a tax that is not in the prices is added to its line, so
-- that all of them together make montant_total.
create function facturation._lignes_creditables(p_id_facture bigint)
returns table (id_ligne bigint, quantite numeric, montant numeric, quantite_creditee numeric, montant_credite numeric)
language sql stable
begin atomic
  select l.id_ligne, l.quantite, p.montant + coalesce(x.montant, 0), coalesce(a.quantite, 0), coalesce(a.montant, 0)
    from (select f.montant_total - case f.mode_prix when 'HT' then f.montant_taxe else 0 end as montant_total, f.remise,
                 f.mode_prix, array_agg(l.id_ligne order by l.id_ligne) as ids,
                 array_agg(l.total order by l.id_ligne) as totaux
            from facturation.facture f
            join facturation.facture_ligne l on l.id_facture = f.id_facture
           where f.id_facture = p_id_facture
           group by f.id_facture) t
   cross join lateral unnest(t.ids, case when t.remise > 0 then core.repartir(t.montant_total, t.totaux)
                                         else t.totaux end) as p (id_ligne, montant)
    join facturation.facture_ligne l on l.id_ligne = p.id_ligne
    left join facturation.facture_ligne_taxe x on x.id_ligne = p.id_ligne and t.mode_prix = 'HT'
    left join lateral (select sum(x.quantite) as quantite, sum(x.montant) as montant
                         from facturation.avoir_ligne x where x.id_ligne = l.id_ligne) a on true;
end;
comment on function facturation._lignes_creditables is
  'Lignes d''une facture : ce qui s''en crédite, quantité et part du total remise déduite, et ce qui en est déjà crédité.';

-- Quantities that are credited one after the other add up to the whole line.
create function facturation._part_creditee(p_montant numeric, p_quantite numeric, p_creditee numeric) returns numeric
language sql stable
return case when p_creditee < p_quantite then least(p_montant, core.arrondir(p_montant * p_creditee / p_quantite))
            else p_montant end;
comment on function facturation._part_creditee is 'Ce que valent les premières unités d''une ligne.';

create function facturation._avoir_excessif(p_id_ligne bigint, p_quantite numeric, p_montant numeric) returns void
language plpgsql stable as $$
begin
  perform core.refuser(409, 'AVOIR_EXCESSIF', 'Les avoirs de cette ligne dépassent ce qui en est facturé.',
    jsonb_build_object('id_ligne', p_id_ligne::text, 'quantite', p_quantite::text, 'montant', p_montant::text));
end $$;
comment on function facturation._avoir_excessif is 'Dit ce qui se crédite en tout d''une ligne. Refuse AVOIR_EXCESSIF.';

create function facturation._avoir_verifier(p_id_avoir bigint, p_id_facture bigint) returns void
language plpgsql stable as $$
begin
  if exists (select from facturation.avoir_ligne a
               join facturation.facture_ligne l on l.id_ligne = a.id_ligne
              where a.id_avoir = p_id_avoir and l.id_facture <> p_id_facture) then
    perform core.refuser(400, 'LIGNE_D_UNE_AUTRE_FACTURE', 'Cette ligne est celle d''une autre facture.');
  end if;
  perform facturation._avoir_excessif(l.id_ligne, l.quantite, l.montant)
     from facturation._lignes_creditables(p_id_facture) l
    where l.montant_credite > l.montant or l.quantite_creditee > l.quantite;
end $$;
comment on function facturation._avoir_verifier is 'Ligne à ligne, rien ne se crédite au-delà de ce qui est facturé.';

-- The lock makes two credit notes of the same line follow each other: the second one sees the lines of the first.
create function facturation._facture_a_crediter(p_id_facture bigint) returns facturation.facture
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  select * into strict v from facturation.facture f where f.id_facture = p_id_facture for no key update;
  if v.annulee then
    perform core.refuser(409, 'FACTURE_ANNULEE',
      format('La facture %s est annulée : elle ne se crédite plus.', v.numero));
  end if;
  return v;
end $$;
comment on function facturation._facture_a_crediter is 'Verrouille une facture qui tient et la rend. Refuse NOT_FOUND, FACTURE_ANNULEE.';

create function facturation._t10_avoir_remplir() returns trigger
language plpgsql volatile as $$
declare
  v facturation.facture := facturation._facture_a_crediter(new.id_facture);
begin
  new.date := coalesce(new.date, core.moment(), clock_timestamp());
  new.jour := core.jour(new.date);
  new.id_client := v.id_client;
  new.id_activite := v.id_activite;
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  select coalesce(sum(l.montant), 0), coalesce(sum(l.montant_taxe), 0) into new.montant_total, new.montant_taxe
    from facturation.avoir_ligne l where l.id_avoir = new.id_avoir;
  perform facturation._avoir_verifier(new.id_avoir, new.id_facture);
  new.montant_excedent := greatest(
    v.montant_paye - v.montant_credit - (v.montant_total - v.montant_avoirs - new.montant_total), 0);
  if new.montant_excedent > 0 and not new.rembourse and new.id_client is null then
    perform core.refuser(400, 'REMBOURSEMENT_REQUIS',
      'Cette facture n''a pas de client : ce qui en est payé de trop se rend, et ne se garde pas à son crédit.',
      jsonb_build_object('excedent', new.montant_excedent::text));
  end if;
  return new;
end $$;
comment on function facturation._t10_avoir_remplir is
  'Date, client, activité, auteur, total des lignes et excédent d''un avoir. Refuse FACTURE_ANNULEE, REMBOURSEMENT_REQUIS, LIGNE_D_UNE_AUTRE_FACTURE, AVOIR_EXCESSIF.';

create trigger t10_avoir_remplir before insert on facturation.avoir
  for each row execute function facturation._t10_avoir_remplir();

-- One update: an invoice that its credit note cancels is never PAYEE in between.
create function facturation._t50_avoir_appliquer() returns trigger
language plpgsql volatile as $$
begin
  update facturation.facture f
     set montant_avoirs = f.montant_avoirs + new.montant_total,
         montant_credit = f.montant_credit + case when new.rembourse then 0 else new.montant_excedent end,
         annulee = new.annulation,
         motif_annulation = case when new.annulation then new.motif end
   where f.id_facture = new.id_facture;
  return null;
end $$;
comment on function facturation._t50_avoir_appliquer is
  'Ajoute l''avoir à montant_avoirs, son excédent à montant_credit si le client le garde, et annule la facture si l''avoir l''annule.';
-- The credit note that cancels is in montant_avoirs already, and no payment comes with it.
call core.ne_refuse_pas('facturation._t50_avoir_appliquer', 'ANNULATION_SANS_AVOIR', 'SURPAIEMENT');

create trigger t50_avoir_appliquer after insert on facturation.avoir
  for each row execute function facturation._t50_avoir_appliquer();

-- The counter-payments follow the credit note in its transaction.
create function facturation._t80_avoir_rendu() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from facturation.facture f
              where f.id_facture = new.id_facture
                and f.montant_paye - f.montant_credit > f.montant_total - f.montant_avoirs) then
    perform core.refuser(409, 'EXCEDENT_NON_RENDU', 'Ce que l''avoir fait rendre n''est pas rendu.');
  end if;
  return null;
end $$;
comment on function facturation._t80_avoir_rendu is 'À la validation, ce qu''un avoir fait rendre est rendu.';
-- A guard: no operation does this.
call core.ne_refuse_pas('facturation._t80_avoir_rendu', 'EXCEDENT_NON_RENDU');

create constraint trigger t80_avoir_rendu after insert on facturation.avoir deferrable initially deferred
  for each row when (new.rembourse) execute function facturation._t80_avoir_rendu();

call core.figer('AVOIR_FIGE', 'Un avoir ne change ni ne s''efface.',
  'before update or delete on facturation.avoir', 'before update or delete on facturation.avoir_ligne');

create function facturation._t20_avoir_ligne_tardive() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from facturation.avoir a where a.id_avoir = new.id_avoir) then
    perform core.refuser(409, 'AVOIR_FIGE', 'Un avoir émis ne reçoit plus de lignes.');
  end if;
  return new;
end $$;
comment on function facturation._t20_avoir_ligne_tardive is 'Refuse une ligne ajoutée à un avoir déjà émis.';
-- A guard: no operation does this.
call core.ne_refuse_pas('facturation._t20_avoir_ligne_tardive', 'AVOIR_FIGE');

create trigger t20_avoir_fige_tardive before insert on facturation.avoir_ligne
  for each row execute function facturation._t20_avoir_ligne_tardive();

create trigger t20_facture_sans_avoir before update of annulee on facturation.facture
  for each row when (new.annulee and not old.annulee and new.montant_avoirs < new.montant_total)
  execute function core._t20_refuser(
    '409', 'ANNULATION_SANS_AVOIR', 'Une facture s''annule par un avoir de ce qui en reste.');

create function facturation._avoir_emettre(
  p_id_avoir bigint, p_id_facture bigint, p_motif core.texte, p_rembourse boolean, p_annulation boolean default false)
returns void
language sql volatile as $$
  insert into facturation.avoir (id_avoir, numero, id_facture, motif, rembourse, annulation)
  overriding system value
  values (p_id_avoir, core._numeroter('AVO', core._annee_du_numero()), p_id_facture,
          p_motif, p_rembourse, p_annulation);
$$;
comment on function facturation._avoir_emettre is 'Numérote et écrit un avoir dont les lignes sont écrites.';

create function facturation._facture_crediter(p_id_facture bigint, p_montant numeric, p_motif core.texte) returns void
language plpgsql volatile as $$
declare
  v_id_avoir bigint := nextval('facturation.avoir_id_avoir_seq');
begin
  insert into facturation.avoir_ligne (id_avoir, id_ligne, montant)
  select v_id_avoir, x.id_ligne, least(x.libre, p_montant - x.avant)
    from (select l.id_ligne, l.montant - l.montant_credite as libre,
                 coalesce(sum(l.montant - l.montant_credite) over (
                   order by l.id_ligne rows between unbounded preceding and 1 preceding), 0) as avant
            from facturation._lignes_creditables(p_id_facture) l where l.montant > l.montant_credite) x
   where x.avant < p_montant
   order by x.id_ligne;
  perform facturation._avoir_emettre(v_id_avoir, p_id_facture, p_motif, p_rembourse => false);
end $$;
comment on function facturation._facture_crediter is
  'Crédite une facture d''un montant, les premières lignes d''abord ; ce qui en était payé de trop devient le crédit du client.';
-- The invoice bills a rent.
call core.ne_refuse_pas('facturation._facture_crediter', 'SOUSCRIPTION_EN_VIGUEUR');

create function facturation._facture_crediter_reste(
  p_id_facture bigint, p_motif core.texte, p_rembourse boolean default true) returns void
language plpgsql volatile as $$
declare
  v_id_avoir bigint := nextval('facturation.avoir_id_avoir_seq');
begin
  insert into facturation.avoir_ligne (id_avoir, id_ligne, quantite, montant)
  select v_id_avoir, l.id_ligne, nullif(l.quantite - l.quantite_creditee, 0), l.montant - l.montant_credite
    from facturation._lignes_creditables(p_id_facture) l
   where l.montant > l.montant_credite
   order by l.id_ligne;
  if found then
    perform facturation._avoir_emettre(v_id_avoir, p_id_facture, p_motif, p_rembourse, p_annulation => true);
  else
    update facturation.facture f set (annulee, motif_annulation) = row(true, p_motif) where f.id_facture = p_id_facture;
  end if;
end $$;
comment on function facturation._facture_crediter_reste is
  'Annule une facture par un avoir de tout ce qui n''en est pas encore crédité ; l''appelant rend ce qui en est payé, ou le client le garde à son crédit. Une facture de zéro, ou créditée en entier, s''annule sans avoir.';
-- The lines belong to the invoice, and credit what is left of it. The caller repays. An invoice that is cancelled
-- without a credit note has nothing left to credit, and its sums stay. A subscription is cancelled before it.
call core.ne_refuse_pas('facturation._facture_crediter_reste', 'AVOIR_EXCESSIF', 'LIGNE_D_UNE_AUTRE_FACTURE',
  'REMBOURSEMENT_REQUIS', 'ANNULATION_SANS_AVOIR', 'SURPAIEMENT', 'SOUSCRIPTION_EN_VIGUEUR');
