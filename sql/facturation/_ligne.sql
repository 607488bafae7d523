-- The trades add what the API does not take: the tax code of what they sell.
create type facturation.ligne_a_facturer as (
  libelle core.libelle, quantite core.nombre, prix_unitaire core.montant, code_taxe core.code);
comment on type facturation.ligne_a_facturer is 'Ligne à facturer et le code de taxe de son article.';
comment on column facturation.ligne_a_facturer.code_taxe is 'Null : celui de l''activité.';

create function facturation._ligne(
  p_libelle core.libelle, p_quantite core.nombre, p_prix_unitaire core.montant, p_code_taxe core.code default null)
returns facturation.ligne_a_facturer
language sql immutable parallel safe
return row(p_libelle, p_quantite, p_prix_unitaire, p_code_taxe)::facturation.ligne_a_facturer;
comment on function facturation._ligne is 'Ligne à facturer.';
