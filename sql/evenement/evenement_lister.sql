-- Volatile: after the wait, the function reads with a new snapshot. Each type is read by its own index, so that a rare
-- type costs the same in a long feed.
create function evenement.evenement_lister(
  p_apres bigint default 0, p_types text default null, p_limit core.limite default 100)
returns setof evenement.evenement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_jusqu_a constant bigint := evenement._complet_jusqu_a(p_apres);
begin
  return query
    select v.* from evenement.evenement_vue v
      join (select x.id_evenement
              from evenement._types(p_types) t
             cross join lateral (
               select e.id_evenement from evenement.evenement e
                where e.type = t.type and e.version = t.version and e.id_evenement > p_apres and e.id_evenement <= v_jusqu_a
                  and evenement._visible(t.limite, e.id_activite, e.id_caisse)
                order by e.id_evenement limit p_limit) x
             order by x.id_evenement limit p_limit) choisis on choisis.id_evenement = v.id
     order by v.id;
end $$;
comment on function evenement.evenement_lister(bigint, text, core.limite) is
  'Événements qui suivent « apres », sinon depuis le premier, dans l''ordre des validations ; seulement ceux que les permissions, la caisse et l''activité laissent voir. « types » les choisit, séparés par des virgules. Qui reprend à chaque fois après le dernier reçu n''en manque aucun.';
call core.peut_refuser('evenement.evenement_lister', 'TYPE_INCONNU', 'ISOLATION_IMPREVUE');
