create type audit.coherence as (format text, de text, a text, chemin text[]);
comment on type audit.coherence is 'Preuve qu''une racine signée continue une racine plus ancienne : rien de ce que couvrait celle-ci n''a changé.';
comment on column audit.coherence.format is '« comptoir-coherence/1 ».';
comment on column audit.coherence.de is 'La racine la plus ancienne.';
comment on column audit.coherence.a is 'La racine la plus récente.';
comment on column audit.coherence.chemin is 'Preuve de cohérence (RFC 6962).';

create function audit.racine_relier(p_de bigint default null, p_a bigint default null) returns audit.coherence
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_de constant audit.tete_vue := (
    select t from audit.tete_vue t where t.taille = coalesce(p_de, (select min(x.taille) from audit.tete x)));
  v_a constant audit.tete_vue := case when p_a is null then audit._derniere_tete()
                                      else (select t from audit.tete_vue t where t.taille = p_a) end;
begin
  if v_de.taille is null or v_a.taille is null then
    perform core.refuser(400, 'RACINE_INCONNUE',
                         format('Aucune racine signée ici n''a la taille %s.',
                                coalesce(case when v_de.taille is null then p_de else p_a end, 0)));
  elsif v_de.taille > v_a.taille then
    perform core.refuser(400, 'RACINES_INVERSEES',
                         '« de » est la taille de la racine la plus ancienne, « a » celle de la plus récente.');
  end if;
  return row('comptoir-coherence/1', v_de.texte, v_a.texte, array(
    select encode(c.noeud, 'hex') from unnest(audit._coherence(v_de.taille, v_a.taille))
      with ordinality c (noeud, place) order by c.place))::audit.coherence;
end $$;
comment on function audit.racine_relier is
  'Preuve de cohérence de deux racines signées, désignées par leur nombre de feuilles ; sans « de », la première ; sans « a », la dernière.';
