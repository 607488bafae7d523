-- The view is a union of joins that no index sorts, so each page would derive and sort the whole period. The function
-- first finds, from days and identifiers alone, between which two documents the page and the 2,000 lines of the capped
-- count are, and adds these bounds to the filter. With a filter, a page behind this count takes twice as many documents
-- as long as they lack lines: all pages of a file together read each document a bounded number of times.

create type compta.place as (date date, type compta.type_ecriture, id_document bigint);
comment on type compta.place is 'Place d''un document dans l''ordre des écritures.';

create function compta._place_apres(p_depuis compta.place, p_au date, p_nombre integer) returns compta.place
language plpgsql stable as $$
declare
  v compta.place;
  v_jours integer := 0;
begin
  -- A busy month holds the page in one day, a quiet year in all of it.
  loop
    select r.date, r.type, r.id_document into v
      from compta._repere_vue r
     where r.date between (p_depuis).date and least((p_depuis).date + v_jours, p_au)
       and (r.date, r.type, r.id_document) >= ((p_depuis).date, (p_depuis).type, (p_depuis).id_document)
     order by r.date, r.type, r.id_document
    offset p_nombre limit 1;
    exit when found or (p_depuis).date + v_jours >= p_au;
    v_jours := v_jours * 4 + 1;
  end loop;
  return v;
end $$;
comment on function compta._place_apres is 'Place du document après autant de lignes ou plus, null au bout.';

create function compta.ecriture_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_periode core.periode default null, p_du date default null, p_au date default null,
  p_journal compta.journal default null, p_compte text default null, p_piece text default null)
returns setof compta.ecriture_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := case when p_periode is null then coalesce(p_au, core.aujourdhui())
                    else (to_date(p_periode, 'YYYY-MM') + interval '1 month')::date - 1 end;
  v_du date := case when p_periode is null then core.premier_jour(p_du, p_au) else to_date(p_periode, 'YYYY-MM') end;
  v_clos date := compta._dernier_jour_clos();
  v_curseur jsonb := nullif(current_setting('comptoir.apres', true), '')::jsonb;
  v_rang integer := coalesce((v_curseur ->> 'rang')::integer, p_offset);
  v_filtree constant boolean := num_nonnulls(p_recherche, p_journal, p_compte, p_piece) > 0
                                or core.activite() is not null or core.caisse() is not null;
  -- Behind the capped count, a page needs no document before its cursor, whatever the filter.
  v_suivante constant boolean := v_curseur is not null and v_rang + p_limit >= 2000;
  v_source constant regclass := case when v_au <= v_clos then 'compta._figee_vue'
                                     when v_du > v_clos then 'compta._ouverte_vue' else 'compta.ecriture_vue' end;
  v_filtre constant text := $filtre$
        v.date between $1 and coalesce($6, $2)
    and (v.date, v.type, v.id_document) >= ($3, $4, $5)
    and ($6 is null or (v.date, v.type, v.id_document) <= ($6, $7, $8))
    and ($9 is null or core._contient(v.libelle, $9) or core._contient(v.piece, $9) or core._contient(v.reference, $9))
    and ($10 is null or v.journal = $10)
    and ($11 is null or starts_with(v.compte, $11))
    and ($12 is null or v.piece = $12)
  $filtre$;
  v_nombre integer := case when v_suivante then p_limit + 100 else greatest(2001, v_rang + p_limit + 1) end;
  v_deja integer := 0;
  v_lignes integer;
  v_depuis compta.place := row(v_du, 'FACTURE', 0);
  v_jusqu_a compta.place;
begin
  if p_periode is not null and num_nonnulls(p_du, p_au) > 0 then
    perform core.refuser(400, 'PERIODE_OU_DATES',
      'Donnez un mois, ou des jours : « periode » et « du », « au » ne vont pas ensemble.');
  end if;
  perform compta._comptes_exiger(greatest(v_du, v_clos + 1), v_au);
  if p_sort is null and v_suivante then
    -- The document of the cursor may have lines left and lines read.
    v_deja := compta._rangs((v_curseur -> 'cles' ->> 1)::compta.type_ecriture);
    v_depuis := row((v_curseur -> 'cles' ->> 0)::date, (v_curseur -> 'cles' ->> 1)::compta.type_ecriture,
                    (v_curseur -> 'cles' ->> 2)::bigint / v_deja);
  end if;
  if p_sort is null and (v_suivante or not v_filtree) then
    loop
      v_jusqu_a := compta._place_apres(v_depuis, v_au, v_nombre);
      exit when v_jusqu_a is null or not v_filtree;
      execute core._liste_compte(v_source, v_filtre, p_limit + v_deja + 1) into v_lignes
        using v_depuis.date, v_au, v_depuis.date, v_depuis.type, v_depuis.id_document,
              v_jusqu_a.date, v_jusqu_a.type, v_jusqu_a.id_document, p_recherche, p_journal, p_compte, p_piece;
      exit when v_lignes > p_limit + v_deja;
      v_nombre := v_nombre * 2;
    end loop;
  end if;
  return query execute core._liste('compta.ecriture_vue', v_filtre, 'v.date, v.type, v.id_ligne', p_sort, p_order,
    p_limit, p_offset, p_source => v_source::text)
  using v_depuis.date, v_au, v_depuis.date, v_depuis.type, v_depuis.id_document,
        v_jusqu_a.date, v_jusqu_a.type, v_jusqu_a.id_document, p_recherche, p_journal, p_compte, p_piece;
end $$;
comment on function compta.ecriture_lister is
  'Écritures d''un mois, ou du jour « du » au jour « au », compris ; celles du mois en cours par défaut. Dans l''ordre des jours puis des documents ; « compte » est le début d''un numéro.';
