create function jobs.demande_finir(p_id_demande bigint, p_prise uuid, p_fait text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_fait constant tresorerie.fait := (
    select tresorerie._fait(p_fait, d.id_compte, d.reference) from tresorerie.demande d
     where d.id_demande = p_id_demande);
  v tresorerie.demande;
begin
  -- An answer without the claim is late, but money counts.
  if v_fait.etat <> 'PAYEE' and not exists (
       select from tresorerie.demande_suite s where s.id_demande = p_id_demande and s.prise = p_prise) then
    return false;
  end if;
  perform tresorerie._constater(p_id_demande, v_fait);
  select * into strict v from tresorerie.demande d where d.id_demande = p_id_demande;
  update tresorerie.demande_suite s
     set (prise, prise_le, essais, essai_le)
       = row(null, null, s.essais + 1, case when tresorerie._en_cours(v.statut) then least(
               case when s.essais < 50 then now() + tresorerie._pause(s.essais + 1) end,
               case when v.expire_le > now() then v.expire_le end) end)
   where s.id_demande = p_id_demande and s.prise = p_prise;
  return v.statut = 'CREEE' and v_fait.etat = 'INCONNUE';
end $$;
comment on function jobs.demande_finir is
  'Note la réponse du fournisseur. Vrai s''il ne connaît pas la demande : elle est à lui faire de nouveau, sous la même référence.';
