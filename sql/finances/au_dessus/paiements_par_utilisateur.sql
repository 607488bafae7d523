create type finances.paiements_utilisateur as (
  id_utilisateur bigint, login text, montant_total core.somme_nombre, nombre_paiements integer,
  encaissements core.somme, decaissements core.somme);
comment on type finances.paiements_utilisateur is 'Ce qu''un utilisateur a encaissé et décaissé ; montant_total est la différence.';
call core.peut_etre_null('finances.paiements_utilisateur', 'id_utilisateur', 'login');

create function finances.paiements_par_utilisateur(
  p_du date default null, p_au date default null, p_id_caisse bigint default null)
returns setof finances.paiements_utilisateur
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caisse bigint := finances._caisse_demandee(p_id_caisse);
begin
  return query
  select e.id_utilisateur, u.login::text, (e.recu - e.rendu)::core.somme_nombre, e.nombre, e.recu, e.rendu
    from (select v.id_utilisateur, sum(v.nombre)::integer as nombre,
                 sum(v.encaissements)::core.somme as recu, sum(v.decaissements)::core.somme as rendu
            from finances.paiement_jour_vue v
           where v.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity')
             and (v_caisse is null or v.id_caisse = v_caisse)
           group by v.id_utilisateur
          having sum(v.nombre) > 0) e
    left join auth.utilisateur u on u.id_utilisateur = e.id_utilisateur
   order by 3 desc, 2;
end $$;
comment on function finances.paiements_par_utilisateur is
  'Encaissements et décaissements par utilisateur, une ligne chacun ; « du » et « au » sont des jours compris.';
