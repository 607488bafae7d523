create function tresorerie.compte_creer(
  p_libelle core.libelle, p_genre tresorerie.genre_compte, p_id_moyen bigint,
  p_fournisseur tresorerie.fournisseur default 'AUCUN', p_identifiant core.libelle default null,
  p_id_activite bigint default null, p_actif boolean default true)
returns tresorerie.compte_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_compte bigint;
begin
  if core.caisse() is not null then
    perform core.refuser(400, 'CAISSE_INTERDITE', 'Vous n''avez accès qu''à votre caisse.');
  end if;
  insert into tresorerie.compte as c (libelle, genre, id_moyen, fournisseur, identifiant, id_activite, actif)
  values (p_libelle, p_genre, p_id_moyen, coalesce(p_fournisseur, 'AUCUN'), p_identifiant,
          facturation._activite_permise(p_id_activite), coalesce(p_actif, true))
  returning c.id_compte into v_id_compte;
  return tresorerie._compte(v_id_compte);
end $$;
comment on function tresorerie.compte_creer is
  'Crée un compte hors caisse : les paiements de son moyen faits sans caisse y arrivent, et les contraires en repartent. Un compte d''une activité prend ceux de cette activité avant le compte de toutes.';
