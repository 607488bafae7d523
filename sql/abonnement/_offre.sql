create function abonnement._quantite(p_quantite numeric, p_unite abonnement.unite) returns abonnement.unites
language sql immutable parallel safe
return round(p_quantite, case when p_unite = 'KG' then 3 when p_quantite = trunc(p_quantite) then 0 else 2 end);
comment on function abonnement._quantite is
  'Une quantité telle que les réponses l''écrivent : trois décimales pour des kilos ; sinon un entier, ou deux décimales.';

create function abonnement._quantite_ecrire(p_quantite numeric, p_unite abonnement.unite) returns text
language sql immutable parallel safe
return core.nombre_ecrire(p_quantite) || chr(160)
    || case when p_unite = 'KG' then 'kg' when p_unite = 'REPAS' then 'repas'
            when p_quantite < 2 then 'pièce' else 'pièces' end;
comment on function abonnement._quantite_ecrire is 'Une quantité et son unité en mots : « 2,5 kg », « 1 pièce », « 3 repas ».';

create view abonnement.offre_vue as
select o.id_offre, o.code, o.libelle, o.description, o.activite, o.unite,
       abonnement._quantite(o.quota, o.unite) as quota, o.prix, o.duree_jours, o.actif, o.date_creation,
       o.date_modification, o.id_prestation, p.libelle as prestation_libelle, o.id_categorie_plat,
       c.libelle as categorie_plat_libelle, o.max_par_jour
  from abonnement.offre o
  join core.activite a on a.code = o.activite::text
  left join pressing.prestation p on p.id_prestation = o.id_prestation
  left join restaurant.categorie_plat c on c.id_categorie_plat = o.id_categorie_plat
 where (select core.client()) is null and core._visible(a.id_activite, (select core.activite()));
comment on view abonnement.offre_vue is 'Offres d''abonnement des activités que l''utilisateur voit.';
comment on column abonnement.offre_vue.prestation_libelle is 'Prestation du pressing que l''offre paie.';
comment on column abonnement.offre_vue.categorie_plat_libelle is 'Catégorie des plats que l''offre paie.';
call core.peut_etre_null('abonnement.offre_vue', 'prestation_libelle', 'categorie_plat_libelle');
call core.jamais_null('abonnement.offre_vue', 'quota');

create function abonnement._t10_offre_modifiee() returns trigger
language plpgsql volatile as $$
begin
  new.date_modification := now();
  return new;
end $$;
comment on function abonnement._t10_offre_modifiee is 'Date la modification d''une offre.';

create trigger t10_offre_modifiee before update on abonnement.offre
  for each row execute function abonnement._t10_offre_modifiee();

call core.figer('OFFRE_FIGEE', 'Le code d''une offre et ce qu''elle paie ne changent plus : faites une autre offre.',
  'before update of id_offre, code, activite, unite, id_prestation, id_categorie_plat, max_par_jour, date_creation
    on abonnement.offre');

create function abonnement._t20_offre_vendue() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from abonnement.souscription s where s.id_offre = old.id_offre) then
    perform core.refuser(409, 'OFFRE_VENDUE',
      format('L''offre « %s » a été vendue : désactivez-la plutôt.', old.libelle));
  end if;
  return old;
end $$;
comment on function abonnement._t20_offre_vendue is 'Refuse d''effacer une offre qui a été vendue.';

create trigger t20_offre_vendue before delete on abonnement.offre
  for each row execute function abonnement._t20_offre_vendue();
