-- Locks: see _virement.sql.

create type tresorerie.virement_annule as (virement tresorerie.virement_vue, contraire tresorerie.virement_vue);
comment on type tresorerie.virement_annule is 'Virement annulé, et le virement contraire qui l''annule.';

create function tresorerie.virement_annuler(p_id_virement bigint, p_motif core.texte default null)
returns tresorerie.virement_annule
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.virement_vue := tresorerie.virement_detail(p_id_virement);
  v_id_contraire bigint;
begin
  if v.id_virement_origine is not null then
    perform core.refuser(409, 'VIREMENT_NON_ANNULABLE', 'Ce virement en annule un autre : il ne s''annule pas.');
  end if;
  insert into tresorerie.virement as c (id_caisse_de, id_compte_de, id_caisse_vers, id_compte_vers, montant, frais,
                                        id_moyen, reference, motif, id_virement_origine)
  select o.id_caisse_vers, o.id_compte_vers, o.id_caisse_de, o.id_compte_de, o.montant, o.frais, o.id_moyen,
         o.reference, p_motif, o.id_virement
    from tresorerie.virement o where o.id_virement = p_id_virement
  returning c.id_virement into v_id_contraire;
  return row(tresorerie.virement_detail(p_id_virement),
             tresorerie.virement_detail(v_id_contraire))::tresorerie.virement_annule;
end $$;
comment on function tresorerie.virement_annuler is
  'Annule un virement, une seule fois : un virement contraire d''aujourd''hui ramène l''argent et rend les frais, aux règles des caisses. Rien n''est effacé.';
