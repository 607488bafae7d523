-- Taxpayer numbers: each country has its own form, so a setting gives it.

create function core._motif_valable(p_motif text) returns boolean
language plpgsql stable as $$
begin
  return '' ~ p_motif is not null;
exception when invalid_regular_expression then
  return false;
end $$;
comment on function core._motif_valable is 'Vrai si ce texte est une expression régulière.';

create function core._numero_contribuable_valable(p_numero text) returns boolean
language sql stable
return p_numero = '' or coalesce(p_numero ~ nullif(core.parametre('NUMERO_CONTRIBUABLE_MOTIF'), ''), true);
comment on function core._numero_contribuable_valable is 'Vrai d''un numéro de la forme demandée, s''il y en a une.';

create function core._t20_numero_contribuable() returns trigger
language plpgsql volatile as $$
begin
  if not core._numero_contribuable_valable(new.numero_contribuable) then
    perform core.refuser(400, 'NUMERO_CONTRIBUABLE_INVALIDE', 'Ce numéro de contribuable n''a pas la forme attendue.',
                         jsonb_build_object('motif', core.parametre('NUMERO_CONTRIBUABLE_MOTIF')));
  end if;
  return new;
end $$;
comment on function core._t20_numero_contribuable is 'Refuse un numéro de contribuable qui n''a pas la forme attendue. Refuse NUMERO_CONTRIBUABLE_INVALIDE.';
