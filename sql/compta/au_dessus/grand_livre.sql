-- A page reads the lines after its cursor, which carries the balance: nothing before it is added again. Closed lines come
-- from an index by account. Open lines are derived from a growing number of documents until the page is full.

create type compta.ligne_du_grand_livre as (
  date date, journal compta.journal, piece text, libelle text, debit core.montant, credit core.montant,
  solde core.somme, reference text, numero bigint, type compta.type_ecriture, id_document bigint,
  id_activite bigint, id_caisse bigint, id_ligne bigint);
comment on type compta.ligne_du_grand_livre is
  'Une ligne du compte. La première est son solde avant la période, sans pièce, s''il en avait un.';
comment on column compta.ligne_du_grand_livre.solde is 'Solde après la ligne, négatif s''il est créditeur.';
comment on column compta.ligne_du_grand_livre.numero is 'Numéro sans trou d''une ligne d''un mois clôturé.';
comment on column compta.ligne_du_grand_livre.id_document is 'Identifiant du document, selon le type.';
call core.peut_etre_null('compta.ligne_du_grand_livre', 'journal', 'piece', 'debit', 'credit', 'reference', 'numero',
  'type', 'id_document', 'id_activite', 'id_caisse', 'id_ligne');

create function compta._lignes_ouvertes(
  p_compte text, p_depuis compta.place, p_ligne bigint, p_au date, p_id_activite bigint, p_nombre integer)
returns setof compta.ecriture_vue
language plpgsql stable as $$
declare
  v_depuis compta.place := p_depuis;
  v_jusqu_a compta.place;
  v_documents integer := p_nombre;
  v_reste integer := p_nombre;
  v_lignes integer;
begin
  loop
    v_jusqu_a := compta._place_apres(v_depuis, p_au, v_documents);
    return query
    select o.* from compta._ouverte_vue o
     where o.date between v_depuis.date and coalesce(v_jusqu_a.date, p_au)
       and (o.date, o.type, o.id_document) >= (v_depuis.date, v_depuis.type, v_depuis.id_document)
       and (v_jusqu_a is null
            or (o.date, o.type, o.id_document) < (v_jusqu_a.date, v_jusqu_a.type, v_jusqu_a.id_document))
       and o.compte = p_compte and (p_id_activite is null or o.id_activite = p_id_activite)
       and (o.date, o.type, o.id_ligne) > (p_depuis.date, p_depuis.type, p_ligne)
     order by o.date, o.type, o.id_ligne
     limit v_reste;
    get diagnostics v_lignes = row_count;
    v_reste := v_reste - v_lignes;
    exit when v_reste = 0 or v_jusqu_a is null;
    v_depuis := v_jusqu_a;
    v_documents := v_documents * 2;
  end loop;
end $$;
comment on function compta._lignes_ouvertes is 'Lignes d''un compte après une place, tirées des documents des jours ouverts.';

create function compta.grand_livre(
  p_compte text, p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_id_activite bigint default null)
returns setof compta.ligne_du_grand_livre
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au constant date := coalesce(p_au, core.aujourdhui());
  v_du constant date := core.premier_jour(p_du, p_au);
  v_clos constant date := compta._dernier_jour_clos();
  v_curseur constant jsonb := core._curseur();
  v_cles constant jsonb := v_curseur -> 'cles';
  v_lues integer := coalesce((v_curseur ->> 'rang')::integer, 0);
  v_rang constant integer := coalesce((v_curseur ->> 'rang')::integer, p_offset);
  v_nombre integer;
  v_depuis compta.place := row(v_du, 'FACTURE', 0);
  v_ligne bigint := 0;
  v_solde numeric;
  v_lignes compta.ecriture_vue[];
begin
  if jsonb_array_length(v_cles) <> 4 then
    perform core.refuser(400, 'CURSEUR_INVALIDE',
      'Ce curseur n''est pas celui de cette liste : reprenez à la première page.');
  end if;
  if v_curseur is null then
    v_solde := (select coalesce(sum(s.debit - s.credit), 0)
                  from compta._sommes(array['-infinity', v_du], p_id_activite, p_compte) s
                 where not compta._de_resultat(p_compte) or s.mois >= date_trunc('year', v_du::timestamp));
    v_lues := (v_solde <> 0)::integer;  -- the opening balance is the first row
  else
    v_ligne := (v_cles ->> 2)::bigint;
    v_depuis := row((v_cles ->> 0)::date, (v_cles ->> 1)::compta.type_ecriture,
                    v_ligne / compta._rangs((v_cles ->> 1)::compta.type_ecriture));
    v_solde := (v_cles ->> 3)::numeric;
  end if;
  v_nombre := v_rang + p_limit + 1 - v_lues;
  v_lignes := array(
    select f from compta._figee_vue f
     where f.compte = p_compte and f.date <= v_au and (p_id_activite is null or f.id_activite = p_id_activite)
       and (f.date, f.type, f.id_ligne) > (v_depuis.date, v_depuis.type, v_ligne)
     order by f.date, f.type, f.id_ligne
     limit v_nombre);
  if v_au > v_clos and cardinality(v_lignes) < v_nombre then
    perform compta._comptes_exiger(greatest(v_depuis.date, v_clos + 1), v_au);
    if v_depuis.date <= v_clos then
      v_depuis := row(v_clos + 1, 'FACTURE', 0);
      v_ligne := 0;
    end if;
    v_lignes := v_lignes || array(
      select o from compta._lignes_ouvertes(p_compte, v_depuis, v_ligne, v_au, p_id_activite,
                                            v_nombre - cardinality(v_lignes)) o);
  end if;
  return query
  with l as materialized (
    select v_lues + x.place as rang, x.date, x.journal, x.piece, x.libelle, x.debit, x.credit,
           v_solde + sum(coalesce(x.debit, 0) - coalesce(x.credit, 0)) over (order by x.place) as solde, x.reference,
           x.numero, x.type, x.id_document, x.id_activite, x.id_caisse, x.id_ligne
      from unnest(v_lignes) with ordinality x (journal, date, piece, compte, libelle, debit, credit, reference, numero,
                                               type, id_document, id_activite, id_caisse, id_ligne, place)
    union all
    select 1, v_du, null, null, format('%s, solde avant ce jour', compta._libelle_compte(p_compte)), null, null,
           v_solde, null, null, null, null, coalesce(p_id_activite, core.activite()), core.caisse(), 0
     where v_curseur is null and v_solde <> 0
  )
  select l.date, l.journal, l.piece, l.libelle, l.debit::core.montant, l.credit::core.montant, l.solde::core.somme,
         l.reference, l.numero, l.type, l.id_document, l.id_activite, l.id_caisse, nullif(l.id_ligne, 0)
    from l
   where l.rang > v_rang and l.rang <= v_rang + p_limit
     and core._page_noter(
       case when cardinality(v_lignes) < v_nombre then (v_lues + cardinality(v_lignes))::text
            else v_rang + p_limit || '+' end,
       case when cardinality(v_lignes) = v_nombre then (
         select jsonb_build_object('rang', d.rang, 'cles', jsonb_build_array(
                  d.date, coalesce(d.type, 'FACTURE'), d.id_ligne, d.solde))
           from l d where d.rang = v_rang + p_limit) end)
   order by l.rang;
end $$;
comment on function compta.grand_livre is
  'Grand livre d''un compte d''un jour à un autre, avec le solde après chaque ligne. Période par défaut : le mois en cours. Le nombre des lignes s''arrête à la fin de la page.';
