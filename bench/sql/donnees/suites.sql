-- The counters and sequences continue after the rows.

insert into core.compteur (type, annee, valeur)
select 'FAC', extract(year from f.jour), count(*) from brouillon.facture f group by 2
union all select 'CL', 0, count(*) from client.client
on conflict (type, annee) do update set valeur = excluded.valeur;

select setval(pg_get_serial_sequence(t.nom, t.cle), t.dernier)
  from (select 'finances.paiement', 'id_paiement', max(id_paiement) from finances.paiement
        union all
        select 'facturation.facture', 'id_facture', max(id_facture) from facturation.facture
        union all
        select 'facturation.facture_ligne', 'id_ligne', max(id_ligne) from facturation.facture_ligne
        union all
        select 'audit.journal', 'id_trace', max(id_trace) from audit.journal) t (nom, cle, dernier);
