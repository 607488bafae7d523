-- The labels of closed months that may name a client. The amounts, numbers and accounts of the lines stay.

create function compta._jour_empreinte(p_date date) returns bytea
language sql stable
return (select sha256(convert_to(string_agg(compta._ligne_texte(e), '' order by e.numero), 'UTF8'))
          from compta.ecriture e where e.date = p_date and e.type::text <> 'RESULTAT');
comment on function compta._jour_empreinte is 'Empreinte des écritures d''un jour clôturé.';

create function compta._libelles_effacer(
  p_factures bigint[], p_avoirs bigint[], p_paiements bigint[], p_cautions bigint[]) returns bigint
language plpgsql volatile as $$
declare
  v_lignes bigint[];
  v_jours date[];
  v_avant bytea[];
begin
  -- One erasure at a time, so that the hashes of a day follow each other.
  perform pg_advisory_xact_lock(core._verrou('CLOTURE'), 0);
  select array_agg(e.numero), array_agg(distinct e.date) into v_lignes, v_jours
    from compta.ecriture e
   where e.libelle <> '[effacé]'
     and (e.type = 'FACTURE' and e.id_document = any (p_factures) or e.type = 'AVOIR' and e.id_document = any (p_avoirs)
          or e.type = 'PAIEMENT' and e.id_document = any (p_paiements)
          or e.type = 'CAUTION' and e.id_document = any (p_cautions));
  v_avant := array(select compta._jour_empreinte(j.jour)
                     from unnest(v_jours) with ordinality j (jour, place) order by j.place);
  update compta.ecriture e set libelle = '[effacé]' where e.numero = any (v_lignes);
  insert into compta.jour_efface (date, avant, apres)
  select j.jour, j.avant, compta._jour_empreinte(j.jour) from unnest(v_jours, v_avant) j (jour, avant);
  return coalesce(cardinality(v_lignes), 0);
end $$;
comment on function compta._libelles_effacer is 'Efface les libellés clôturés de ces documents, et en rend le nombre.';
