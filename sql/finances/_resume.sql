-- The sums of payments by day (sql/core/_resume.sql). Of a payment, only the day and the method may change. A payment
-- from the credit of a client moves no money, and is in no sum.

create function finances._resumer(
  p_jour date, p_id_activite bigint, p_id_caisse bigint, p_id_utilisateur bigint,
  p_encaissements numeric, p_decaissements numeric, p_nombre bigint)
returns void
language sql volatile as $$
  insert into finances.resume_paiement as r
         (jour, id_activite, id_caisse, id_utilisateur, encaissements, decaissements, nombre)
  values (p_jour, p_id_activite, p_id_caisse, p_id_utilisateur, p_encaissements, p_decaissements, p_nombre)
  on conflict on constraint resume_unique do update
     set (encaissements, decaissements, nombre) = row(
       r.encaissements + excluded.encaissements, r.decaissements + excluded.decaissements, r.nombre + excluded.nombre);
$$;
comment on function finances._resumer is 'Ajoute aux sommes d''un jour.';

create function finances._resumer_moyen(p_jour date, p_id_moyen bigint, p_id_activite bigint, p_montant numeric)
returns void
language sql volatile as $$
  insert into finances.resume_moyen as r (jour, id_moyen, id_activite, montant)
  values (p_jour, p_id_moyen, p_id_activite, p_montant)
  on conflict on constraint resume_moyen_unique do update set montant = r.montant + excluded.montant;
$$;
comment on function finances._resumer_moyen is 'Ajoute aux sommes d''un jour ce qui est sans caisse.';

create function finances._paiements_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select max(p.id_paiement) from (
    select p.id_paiement from finances._paiement_recent_vue p order by p.id_paiement limit p_nombre) p);
  v_depuis bigint := core._resume_avancer('finances.paiement', 'finances.paiement_id_paiement_seq', v_jusqu_a);
begin
  perform finances._resumer(s.jour, s.id_activite, s.id_caisse, s.id_utilisateur, s.encaissements, s.decaissements,
                            s.nombre)
     from (select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur, count(*) as nombre,
                  coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0) as encaissements,
                  coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0) as decaissements
             from finances.paiement p
            where p.id_paiement > v_depuis and p.id_paiement <= v_jusqu_a and not p.credit
            group by p.jour, p.id_activite, p.id_caisse, p.id_utilisateur) s;
  perform finances._resumer_moyen(s.jour, s.id_moyen, s.id_activite, s.montant)
     from (select p.jour, p.id_moyen, p.id_activite, -sum(finances._sortie(p)) as montant
             from finances.paiement p
            where p.id_paiement > v_depuis and p.id_paiement <= v_jusqu_a and not p.credit and p.id_caisse is null
            group by p.jour, p.id_moyen, p.id_activite) s;
  perform finances._resumer_application(s.jour, s.source_type, s.montant)
     from (select p.jour, f.source_type, -sum(finances._sortie(p)) as montant
             from finances.paiement p
             join facturation.facture f on f.id_facture = p.id_facture
            where p.id_paiement > v_depuis and p.id_paiement <= v_jusqu_a and not p.credit
            group by p.jour, f.source_type) s;
  return coalesce(v_jusqu_a - v_depuis, 0);
end $$;
comment on function finances._paiements_resumer is
  'Résume les paiements qui ne le sont pas, et ce que règlent ceux qui nomment une facture, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

create function finances._t50_paiement_resume() returns trigger
language plpgsql volatile as $$
declare
  v_encaisse numeric := case old.type when 'ENCAISSEMENT' then old.montant else 0 end;
begin
  if core._resume_contient('finances.paiement', old.id_paiement) then
    perform finances._resumer(old.jour, old.id_activite, old.id_caisse, old.id_utilisateur,
                              -v_encaisse, v_encaisse - old.montant, -1);
    perform finances._resumer(new.jour, new.id_activite, new.id_caisse, new.id_utilisateur,
                              v_encaisse, old.montant - v_encaisse, 1);
    if old.id_caisse is null then
      perform finances._resumer_moyen(old.jour, old.id_moyen, old.id_activite, finances._sortie(old));
      perform finances._resumer_moyen(new.jour, new.id_moyen, new.id_activite, -finances._sortie(old));
    end if;
    perform finances._resumer_application(j.jour, f.source_type, j.signe * finances._sortie(old))
       from facturation.facture f cross join (values (old.jour, 1), (new.jour, -1)) j (jour, signe)
      where f.id_facture = old.id_facture;
  end if;
  return null;
end $$;
comment on function finances._t50_paiement_resume is 'Déplace dans les sommes un paiement résumé dont le jour ou le moyen change.';

create trigger t50_paiement_resume after update of date, jour, id_moyen on finances.paiement
  for each row when ((old.jour, old.id_moyen) <> (new.jour, new.id_moyen) and not old.credit)
  execute function finances._t50_paiement_resume();

-- facturation._facture_recente_vue says why the view has an upper bound and an offset.
create view finances._paiement_recent_vue as
select p.* from finances.paiement p
 where p.id_paiement between (select e.jusqu_a + 1 from core.resume_etat e where e.entite = 'finances.paiement')
                         and 9223372036854775807
   and not p.credit
offset 0;
comment on view finances._paiement_recent_vue is 'Paiements qui ne sont pas encore résumés, sans ceux du crédit des clients.';
