create type finances.tableau_de_bord_mois as (
  periode core.periode, encaissements core.somme, decaissements core.somme, marge_nette core.somme,
  factures_emises bigint, montant_factures core.somme, depenses core.somme, sorties core.somme, montant_brut core.somme,
  montant_avoirs core.somme);
comment on type finances.tableau_de_bord_mois is 'Un mois du tableau de bord financier.';
comment on column finances.tableau_de_bord_mois.decaissements is 'Paiements rendus ou versés, sans les dépenses.';
comment on column finances.tableau_de_bord_mois.marge_nette is 'Encaissements − sorties.';
comment on column finances.tableau_de_bord_mois.factures_emises is 'Nombre de factures du mois, sans les annulées.';
comment on column finances.tableau_de_bord_mois.montant_factures is 'Chiffre d''affaires : montant_brut − montant_avoirs.';
comment on column finances.tableau_de_bord_mois.montant_brut is 'Factures émises ce mois, celles qu''un avoir a annulées depuis comprises.';
comment on column finances.tableau_de_bord_mois.montant_avoirs is 'Avoirs émis ce mois.';
comment on column finances.tableau_de_bord_mois.sorties is 'Décaissements et dépenses.';

create type finances.periodo as enum ('ce_mois', 'mois_dernier', 'cette_annee');
comment on type finances.periodo is 'Période nommée d''un tableau de bord.';

create function finances.tableau_de_bord(
  p_du date default null, p_au date default null, p_periodo finances.periodo default null)
returns setof finances.tableau_de_bord_mois
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_mois date := date_trunc('month', core.aujourdhui()::timestamp);
  v_du date := coalesce(p_du, case p_periodo when 'ce_mois' then v_mois
                                when 'mois_dernier' then v_mois - interval '1 month'
                                when 'cette_annee' then date_trunc('year', v_mois::timestamp) end, '-infinity');
  v_au date := coalesce(p_au, case when p_periodo = 'mois_dernier' then v_mois - 1
                                when p_periodo is not null then core.aujourdhui() end, 'infinity');
begin
  return query
  with mois as (
    select date_trunc('month', m.jour::timestamp) as mois, sum(m.encaissements) as e, sum(m.decaissements) as d,
           sum(m.depenses) as x, sum(m.sorties) as s, sum(m.solde) as solde
      from finances.mouvement_jour_vue m
     where m.jour between v_du and v_au
     group by 1
  ), factures as (
    select date_trunc('month', f.jour::timestamp) as mois, sum(f.nombre)::bigint as nombre,
           sum(f.chiffre_affaires) as montant, sum(f.montant_factures) as brut, sum(f.montant_avoirs) as avoirs
      from facturation.facture_jour_vue f
     where f.jour between v_du and v_au
     group by 1
  )
  select to_char(mois, 'YYYY-MM')::core.periode, coalesce(m.e, 0)::core.somme, coalesce(m.d, 0)::core.somme,
         coalesce(m.solde, 0)::core.somme, coalesce(f.nombre, 0), coalesce(f.montant, 0)::core.somme,
         coalesce(m.x, 0)::core.somme, coalesce(m.s, 0)::core.somme, coalesce(f.brut, 0)::core.somme,
         coalesce(f.avoirs, 0)::core.somme
    from mois m full join factures f using (mois)
   order by mois;
end $$;
comment on function finances.tableau_de_bord is
  'Rend, mois par mois, l''argent entré et sorti, la marge et les factures émises, depuis toujours ou sur une période : ses dates, ou son nom, « periodo ».';
