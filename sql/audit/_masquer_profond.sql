-- Secrets are masked again when a row leaves the database: a JSON value may hide one deeper than a column.

create function audit._sensible(p_cle text) returns boolean
language sql immutable parallel safe
return replace(replace(lower(p_cle), '_', ''), '-', '') ~ '(motdepasse|password|jeton|token|hash|secret)';
comment on function audit._sensible is 'Vrai pour le nom d''un champ qui est ou contient celui d''un secret du journal.';

create function audit._masquer_profond(p_valeur jsonb, p_profondeur integer default 0) returns jsonb
language plpgsql immutable as $$
begin
  if p_profondeur > 64 then
    perform core.refuser(400, 'TROP_IMBRIQUE', 'Ce JSON compte plus de 64 niveaux.');
  end if;
  case jsonb_typeof(p_valeur)
  when 'object' then
    return (select coalesce(jsonb_object_agg(c.key, case
              when c.value = 'null' then c.value
              when audit._sensible(c.key) then '"***"'
              when jsonb_typeof(c.value) in ('object', 'array') then audit._masquer_profond(c.value, p_profondeur + 1)
              else c.value end), '{}')
              from jsonb_each(p_valeur) c);
  when 'array' then
    return (select coalesce(jsonb_agg(audit._masquer_profond(e.value, p_profondeur + 1) order by e.ordinality), '[]')
              from jsonb_array_elements(p_valeur) with ordinality e);
  else
    return p_valeur;
  end case;
end $$;
comment on function audit._masquer_profond is 'La même valeur, *** à la place de chaque secret, à toute profondeur.';

create function audit._montrer(p_ligne jsonb) returns text
language sql immutable
return case when audit._sensible(p_ligne::text) then audit._masquer_profond(p_ligne) else p_ligne end::text;
comment on function audit._montrer is 'Une ligne du journal telle qu''elle se lit, en texte JSON.';
-- The depth was checked when the row of the journal was written.
call core.ne_refuse_pas('audit._montrer', 'TROP_IMBRIQUE');
