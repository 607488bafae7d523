-- A new base has no category: the refusal says how to create one.
-- depends: 0085.echange-cle-de-l-import
comment on constraint depense_categorie_inconnue on finances.depense is
  'Cette catégorie de dépense n''existe pas ou a encore des dépenses ; POST /finances/categories-depenses en crée une.';
comment on constraint charge_categorie_inconnue on residence.charge_facturee is
  'Cette catégorie de charge n''existe pas ; POST /residence/categories-charges en crée une.';
