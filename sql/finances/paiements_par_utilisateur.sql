create type finances.paiements_utilisateur as (
  id_utilisateur bigint, login text, montant_total core.nombre_signe, nombre_paiements integer,
  encaissements core.montant, decaissements core.montant);
comment on type finances.paiements_utilisateur is 'Ce qu''un utilisateur a encaissé et décaissé ; montant_total est la différence.';

create function finances.paiements_par_utilisateur(
  p_du date default null, p_au date default null, p_id_caisse bigint default null)
returns setof finances.paiements_utilisateur
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select p.id_utilisateur, u.login::text,
         (coalesce(p.encaissements, 0) - coalesce(p.decaissements, 0))::core.nombre_signe, p.nombre,
         coalesce(p.encaissements, 0)::core.montant, coalesce(p.decaissements, 0)::core.montant
    from (select v.id_utilisateur, count(*)::integer as nombre,
                 sum(v.montant) filter (where v.type = 'ENCAISSEMENT') as encaissements,
                 sum(v.montant) filter (where v.type = 'DECAISSEMENT') as decaissements
            from finances.paiement_vue v
           where (p_du is null or v.date >= core.debut_du_jour(p_du))
             and (p_au is null or v.date < core.debut_du_jour(p_au + 1))
             and (p_id_caisse is null or v.id_caisse = finances._caisse_demandee(p_id_caisse))
           group by v.id_utilisateur) p
    left join auth.utilisateur u on u.id_utilisateur = p.id_utilisateur
   order by 3 desc, 2;
end $$;
comment on function finances.paiements_par_utilisateur(date, date, bigint) is
  'Encaissements et décaissements par utilisateur, une ligne chacun ; « du » et « au » sont des jours compris. Refuse : CAISSE_INTERDITE.';
