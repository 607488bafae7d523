create view market.fournisseur_vue as
select f.id_fournisseur, f.nom, f.contact, f.telephone, f.email, f.adresse, f.actif
  from market.fournisseur f
 where (select market._visible());
comment on view market.fournisseur_vue is 'Fournisseurs.';

create function market._fournisseur(p_id_fournisseur bigint) returns market.fournisseur_vue
language plpgsql stable as $$
declare
  v market.fournisseur_vue;
begin
  select * into strict v from market.fournisseur_vue f where f.id_fournisseur = p_id_fournisseur;
  return v;
end $$;
comment on function market._fournisseur is 'Un fournisseur visible par l''utilisateur. Refuse NOT_FOUND.';
