-- The body of an event: the row of a view, as a reader without limits sees it. The views hide what the author may not
-- see, and the feed decides who may read an event. So the settings of the author are set aside while a view is read.

create function evenement._contexte(p_valeurs text[] default '{"", "", "", ""}') returns text[]
language plpgsql volatile as $$
declare
  v_avant constant text[] := array[
    coalesce(current_setting('comptoir.utilisateur', true), ''), coalesce(current_setting('comptoir.client', true), ''),
    coalesce(current_setting('comptoir.caisse', true), ''), coalesce(current_setting('comptoir.activite', true), '')];
begin
  perform set_config('comptoir.utilisateur', p_valeurs[1], true), set_config('comptoir.client', p_valeurs[2], true),
          set_config('comptoir.caisse', p_valeurs[3], true), set_config('comptoir.activite', p_valeurs[4], true);
  return v_avant;
end $$;
comment on function evenement._contexte(text[]) is
  'Met de côté l''utilisateur et ses limites, et rend ce qu''ils étaient ; avec ces valeurs, les remet.';

-- The views are written out, so that PostgreSQL keeps their plans: every settlement reads the first two.
create function evenement._ligne(p_forme regclass, p_id bigint) returns jsonb
language plpgsql volatile as $$
declare
  v_avant constant text[] := evenement._contexte();
  v jsonb;
begin
  case p_forme
  when 'finances.paiement_detail_vue'::regclass then
    select to_jsonb(x) into v from finances.paiement_detail_vue x where x.id_paiement = p_id;
  when 'facturation.facture_detail_vue'::regclass then
    select to_jsonb(x) into v from facturation.facture_detail_vue x where x.id_facture = p_id;
  when 'finances.depense_vue'::regclass then
    select to_jsonb(x) into v from finances.depense_vue x where x.id_depense = p_id;
  when 'finances.periode_caisse_vue'::regclass then
    select to_jsonb(x) into v from finances.periode_caisse_vue x where x.id_periode = p_id;
  when 'finances.tirage_vue'::regclass then
    select to_jsonb(x) into v from finances.tirage_vue x where x.id_tirage = p_id;
  when 'residence.contrat_location_detail_vue'::regclass then
    select to_jsonb(x) into v from residence.contrat_location_detail_vue x where x.id_contrat = p_id;
  when 'residence.echeance_vue'::regclass then
    select to_jsonb(x) into v from residence.echeance_vue x where x.id_echeance = p_id;
  when 'residence.sejour_court_vue'::regclass then
    select to_jsonb(x) into v from residence.sejour_court_vue x where x.id_sejour = p_id;
  when 'pressing.commande_detail_vue'::regclass then
    select to_jsonb(x) into v from pressing.commande_detail_vue x where x.id_commande = p_id;
  when 'salle_fete.reservation_vue'::regclass then
    select to_jsonb(x) into v from salle_fete.reservation_vue x where x.id_reservation = p_id;
  when 'market.produit_vue'::regclass then
    select to_jsonb(x) into v from market.produit_vue x where x.id_produit = p_id;
  when 'abonnement.souscription_vue'::regclass then
    select to_jsonb(x) into v from abonnement.souscription_vue x where x.id_souscription = p_id;
  when 'signalement.signalement_vue'::regclass then
    select to_jsonb(x) into v from signalement.signalement_vue x where x.id_signalement = p_id;
  when 'rh.paie_vue'::regclass then
    select to_jsonb(x) into v from rh.paie_vue x where x.id_paie = p_id;
  when 'client.client_vue'::regclass then
    select to_jsonb(x) into v from client.client_vue x where x.id_client = p_id;
  end case;
  perform evenement._contexte(v_avant);
  return v;
end $$;
comment on function evenement._ligne(regclass, bigint) is
  'La ligne d''une vue, telle que la voit qui n''a pas de limite ; null si elle n''existe plus.';

create function evenement._echeances(p_ids bigint[]) returns table (id bigint, ligne jsonb)
language plpgsql volatile as $$
declare
  v_avant constant text[] := evenement._contexte();
begin
  return query select e.id_echeance, to_jsonb(e) from residence.echeance_vue e
                where e.id_echeance = any (p_ids) order by e.id_echeance;
  perform evenement._contexte(v_avant);
end $$;
comment on function evenement._echeances(bigint[]) is 'Des échéances, telles que les voit qui n''a pas de limite.';
