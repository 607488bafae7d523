-- Volatile: after the wait, the function reads with a new snapshot.
create function evenement.evenement_lister(
  p_apres bigint default 0, p_types text default null, p_limit core.limite default 100)
returns setof evenement.evenement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_types constant text[] := regexp_split_to_array(p_types, ',');
begin
  perform evenement._types_connus(v_types);
  return query select * from evenement._lire(p_apres, evenement._complet_jusqu_a(p_apres), v_types, p_limit);
end $$;
comment on function evenement.evenement_lister is
  'Événements qui suivent « apres », sinon depuis le premier, dans l''ordre des validations ; seulement ceux que les permissions, la caisse et l''activité laissent voir. « types » les choisit, séparés par des virgules. Qui reprend à chaque fois après le dernier reçu n''en manque aucun.';
