create type residence.portail_resume as (
  client residence.portail_client, contrat_en_cours residence.portail_contrat,
  prochaine_echeance residence.prochaine_echeance, total_impayes core.somme);
comment on type residence.portail_resume is 'Ce que le résident voit d''abord.';
comment on column residence.portail_resume.contrat_en_cours is 'Contrat actif, ou résilié pour un jour à venir, le dernier commencé s''il y en a plusieurs ; null s''il n''y en a pas.';
comment on column residence.portail_resume.prochaine_echeance is 'La plus ancienne échéance qui reste à payer, null si tout est payé.';
comment on column residence.portail_resume.total_impayes is 'Reste à payer des échéances échues ou payées en partie.';
call core.peut_etre_null('residence.portail_resume', 'contrat_en_cours', 'prochaine_echeance');

create function residence.portail_resume() returns residence.portail_resume
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((
    select row(row(k.id_client, k.nom, k.prenoms)::residence.portail_client,
               (select row(c.id_contrat, c.numero_contrat, c.date_debut, c.date_fin_prevue,
                           residence._loyer(c.id_contrat, c.loyer_initial, core.aujourdhui()), c.periodicite,
                           row(l.numero, coalesce(l.nom, l.numero), b.code)::residence.portail_logement)
                       ::residence.portail_contrat
                  from residence.contrat_location c
                  join residence.logement l on l.id_logement = c.id_logement
                  join residence.batiment b on b.id_batiment = l.id_batiment
                 where c.id_client = v_id_client and (c.statut = 'ACTIF' or c.preavis)
                 order by c.date_debut desc, c.id_contrat desc limit 1),
               residence._portail_prochaine(v_id_client), residence._portail_impayes(v_id_client))
           ::residence.portail_resume
      from client.client k where k.id_client = v_id_client));
end $$;
comment on function residence.portail_resume is
  'Résumé du résident connecté : son contrat en cours, ce qu''il a à payer en premier, ce qu''il doit.';
