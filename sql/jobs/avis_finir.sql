create function jobs.avis_finir(p_id_avis bigint, p_prise uuid, p_fait text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.avis;
  v_fait tresorerie.fait;
  v_id_demande bigint;
  v_encaissement tresorerie.encaissement;
  v_finie boolean;
begin
  select * into strict v from tresorerie.avis a where a.id_avis = p_id_avis;
  v_fait := tresorerie._fait(p_fait, v.id_compte, v.reference);
  select d.id_demande into v_id_demande from tresorerie.demande d
   where d.id_compte = v.id_compte and d.reference = coalesce(v_fait.reference, v.reference);
  if v_id_demande is not null then
    v_encaissement := tresorerie._constater(v_id_demande, v_fait);
  elsif v_fait.etat = 'PAYEE' then
    v_encaissement := tresorerie._encaisser(v.id_compte, null, v_fait);
  end if;
  v_finie := v_fait.etat not in ('PERDUE', 'RIEN') or v.essais >= 20;
  update tresorerie.avis a
     set (etat, issue, id_encaissement, prise, prise_le, essais, essai_le)
       = row(case when v_finie then 'TRAITE' else 'RECU' end::tresorerie.etat_avis,
             case when v_encaissement.motif is not null then 'À affecter : ' || v_encaissement.motif
                  when v_fait.etat = 'PAYEE' then 'Payé : paiement ' || v_encaissement.id_paiement || '.'
                  else coalesce(v_fait.motif, case v_fait.etat
                    when 'ATTENTE' then 'Le fournisseur attend encore l''argent.'
                    when 'INCONNUE' then 'Le fournisseur ne connaît pas ce que l''avis annonce.'
                    when 'REFUSEE' then 'Le fournisseur dit la demande refusée.'
                    when 'EXPIREE' then 'Le fournisseur dit la demande expirée.'
                    else 'Le fournisseur n''a pas répondu.' end) end,
             v_encaissement.id_encaissement, null, null, a.essais + 1,
             case when not v_finie then now() + tresorerie._pause(a.essais + 1) end)
   where a.id_avis = p_id_avis and a.etat = 'RECU' and a.prise = p_prise;
end $$;
comment on function jobs.avis_finir is 'Note ce que le fournisseur a répondu à la question qu''un avis a fait poser.';
