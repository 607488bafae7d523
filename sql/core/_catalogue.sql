-- The labels of a trade's catalogue. A form says of each label whether it comes from the catalogue.

create function core._catalogue_exiger(p_libelle text, p_present boolean) returns void
language plpgsql stable as $$
begin
  if not p_present then
    perform core.refuser(400, 'LIBELLE_HORS_CATALOGUE',
      format(
        '« %s » n''est pas un libellé actif du catalogue : choisissez-en un, ou laissez « hors_catalogue » à vrai.',
        p_libelle),
      jsonb_build_object('libelle', p_libelle));
  end if;
end $$;
comment on function core._catalogue_exiger is 'Refuse un libellé qui n''est pas, ou plus, au catalogue.';
