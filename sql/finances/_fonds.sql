-- An operation of a device has the prices and the taxes of the version that the device saw. A change is a row of
-- finances.version_fonds, which triggers of later slices write (au_dessus/_fonds.sql).

-- A price that changes while a device reads has another version, so the device does not see the price yet. « + 0 »: an
-- element has few versions, and PostgreSQL must not look for the last one among the versions of all elements.
create function finances._version(p_genre finances.genre_fonds, p_id_element bigint, p_version bigint)
returns finances.version_fonds
language sql stable
return (select v from finances.version_fonds v
         where v.genre = p_genre and v.id_element = p_id_element and v.id_version <= p_version
         order by v.id_version + 0 desc limit 1);
comment on function finances._version is 'Ce qu''un élément était dans une version, null si aucune ne le dit.';

create function finances._prix_de_version(
  p_genre finances.genre_fonds, p_id_element bigint, p_version bigint, p_present core.montant)
returns core.montant
language sql stable
return coalesce((finances._version(p_genre, p_id_element, p_version)).prix, p_present);
comment on function finances._prix_de_version is 'Prix d''un élément dans une version ; le présent s''il n''y en a pas.';

create function finances._prix_vu(p_genre finances.genre_fonds, p_id_element bigint, p_present core.montant)
returns core.montant
language plpgsql stable as $$
begin
  if core.fonds() is null then
    return p_present;
  end if;
  return finances._prix_de_version(p_genre, p_id_element, core.fonds(), p_present);
end $$;
comment on function finances._prix_vu is
  'Prix que voyait l''appareil qui a fait cette opération sans réseau ; le prix présent d''une opération faite ici.';

create function finances._taxe_vue(p_genre finances.genre_fonds, p_id_element bigint, p_present text) returns text
language plpgsql stable as $$
declare
  v finances.version_fonds;
begin
  if core.fonds() is null then
    return p_present;
  end if;
  v := finances._version(p_genre, p_id_element, core.fonds());
  return case when v.id_version is not null then v.code_taxe else p_present end;
end $$;
comment on function finances._taxe_vue is
  'Code de taxe que voyait l''appareil qui a fait cette opération sans réseau ; le présent d''une opération faite ici.';
