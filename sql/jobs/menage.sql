-- No statement here waits for a lock: a locked row is left for the next night.

create type jobs.menage_bilan as (
  jetons_rafraichissement bigint, jetons_reinitialisation bigint, idempotences bigint, connexions bigint,
  livraisons bigint, taches bigint);
comment on type jobs.menage_bilan is 'Nombre de lignes que le ménage a retirées, par table.';

create function jobs.menage() returns jobs.menage_bilan
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jobs.menage_bilan;
begin
  -- A revoked token is kept until it expires, so that a second use of it is recognised as a replay.
  delete from auth.jeton_rafraichissement j
   where j.hash in (select o.hash from auth.jeton_rafraichissement o
                     where o.date_expiration < now() for update skip locked);
  get diagnostics v.jetons_rafraichissement = row_count;
  delete from auth.jeton_reinitialisation j
   where j.hash in (select o.hash from auth.jeton_reinitialisation o
                     where o.date_expiration < now() or o.date_usage is not null for update skip locked);
  get diagnostics v.jetons_reinitialisation = row_count;
  delete from core.idempotence i
   where (i.id_utilisateur, i.cle) in (select o.id_utilisateur, o.cle from core.idempotence o
                                        where o.date_creation < now() - interval '7 days' for update skip locked);
  get diagnostics v.idempotences = row_count;
  delete from auth.connexion c
   where c.id_connexion in (select o.id_connexion from auth.connexion o
                             where o.date < now() - interval '1 year' for update skip locked);
  get diagnostics v.connexions = row_count;
  delete from evenement.livraison l
   where l.id_livraison in (select o.id_livraison from evenement.livraison o
                             where o.date < now() - interval '30 days' for update skip locked);
  get diagnostics v.livraisons = row_count;
  -- An import that was never confirmed disappears. Of the others, the issue of each row is kept, and its cells are not.
  delete from echange.import i
   where i.id_import in (select o.id_import from echange.import o
                          where o.etat in ('RECEPTION', 'EN_ESSAI', 'ESSAYE')
                            and o.date_creation < now() - interval '7 days' for update skip locked);
  update echange.ligne l set (cellules, donnees, erreurs, repere) = row('[]'::jsonb, '{}'::jsonb, '[]'::jsonb, null)
   where (l.cellules <> '[]' or l.repere is not null)
     and l.id_import in (select o.id_import from echange.import o
                          where o.date_creation < now() - interval '30 days' for update skip locked);
  -- The rest of a notice stays: it says what became of it.
  update tresorerie.avis a set corps = null
   where a.id_avis in (select o.id_avis from tresorerie.avis o
                        where o.corps is not null and o.date < now() - interval '13 months' for update skip locked);
  -- A failed job is kept long enough for a person to look at it.
  v.taches := jobs._retirer('succeeded', interval '1 day') + jobs._retirer('failed', interval '30 days')
            + jobs._retirer('cancelled', interval '30 days') + jobs._retirer('aborted', interval '30 days');
  return v;
end $$;
comment on function jobs.menage is
  'Retire ce qui ne sert plus : jetons de rafraîchissement expirés, jetons de réinitialisation expirés ou utilisés, clés d''idempotence de plus de sept jours, connexions de plus d''un an, envois de webhooks de plus de trente jours, tâches réussies depuis un jour, tâches échouées ou annulées depuis trente ; les imports jamais validés après sept jours, les cellules des autres, et ce qui les distinguait, après trente ; les octets des avis des fournisseurs après treize mois. Rend le nombre de lignes retirées, imports et avis à part.';
