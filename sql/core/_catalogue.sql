create function core._catalogue_absent(p_hors_catalogue boolean) returns void
language plpgsql stable as $$
begin
  if not p_hors_catalogue then
    perform core.refuser(400, 'CATALOGUE_NON_TENU', 'Aucun catalogue n''est tenu : laissez « hors_catalogue » à vrai.');
  end if;
end $$;
comment on function core._catalogue_absent(boolean) is
  'Les clients disent de chaque libellé s''il est hors catalogue : il l''est toujours, car aucun catalogue n''est tenu. Refuse CATALOGUE_NON_TENU.';
