call core.transitions('residence.logement', 'DISPONIBLE: RESERVE OCCUPE EN_MAINTENANCE INDISPONIBLE',
  'RESERVE: OCCUPE DISPONIBLE', 'OCCUPE: EN_NETTOYAGE DISPONIBLE', 'EN_NETTOYAGE: DISPONIBLE EN_MAINTENANCE',
  'EN_MAINTENANCE: DISPONIBLE INDISPONIBLE', 'INDISPONIBLE: DISPONIBLE EN_MAINTENANCE');

create view residence.logement_vue as
select l.id_logement, l.numero, l.nom, l.type, l.tarif, l.equipements, l.statut, l.etat, l.id_batiment,
       (select b.code from residence.batiment b where b.id_batiment = l.id_batiment) as batiment_code,
       l.code_taxe::core.code
  from residence.logement l
 where (select residence._visible());
comment on view residence.logement_vue is 'Logements.';
comment on column residence.logement_vue.numero is 'Donné par la base, <ORG>-<TYPE><NN>-<CODE DU BÂTIMENT>, ou saisi à la création ; il ne change jamais.';
call core.jamais_null('residence.logement_vue', 'batiment_code');

-- The row of the building is the counter of its rooms. It has no gaps, and is locked until the commit.
create function residence._t10_logement_numero() returns trigger
language plpgsql volatile as $$
declare
  v residence.batiment;
begin
  while new.numero is null loop
    update residence.batiment b set dernier_rang = b.dernier_rang + 1 where b.id_batiment = new.id_batiment
    returning * into v;
    if not found then
      perform core.refuser(422, 'LOGEMENT_BATIMENT_INCONNU', 'Ce bâtiment n''existe pas.');
    end if;
    new.numero := format('%s-%s%s-%s', core.parametre('CODE_ORGANISATION'), left(new.type::text, 2),
                         core._chiffres(v.dernier_rang, 2), v.code);
    -- A number that a user gave by hand is skipped.
    if exists (select from residence.logement l where l.numero = new.numero) then
      new.numero := null;
    end if;
  end loop;
  return new;
end $$;
comment on function residence._t10_logement_numero is
  'Numérote un logement qui n''a pas de numéro : le rang suivant de son bâtiment. Refuse LOGEMENT_BATIMENT_INCONNU.';

create trigger t10_logement_numero before insert on residence.logement
  for each row execute function residence._t10_logement_numero();

-- A guard: no operation does this.
call core.figer('NUMERO_LOGEMENT_FIGE', 'Le numéro d''un logement ne change pas.',
  'before update of numero on residence.logement when (new.numero is distinct from old.numero)');
