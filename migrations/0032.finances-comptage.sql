-- A count expects everything since the one before: each one keeps what the till had taken until then.
-- depends: 0031.finances-annulation

alter table finances.tirage add column cumul numeric(32,2);
comment on column finances.tirage.cumul is
  'Encaissements − décaissements − dépenses de la caisse depuis sa première ouverture, jusqu''à ce comptage compris ; le comptage suivant attend ce qui s''y ajoute. Tenu par un déclencheur ; null pour ceux d''avant cette colonne, sauf le dernier fait de chaque caisse.';
comment on column finances.tirage.montant_attendu is
  'Encaissements − décaissements − dépenses de la caisse depuis le comptage d''avant, ou depuis sa première ouverture ; tenu par un déclencheur.';
comment on table finances.tirage is 'Comptage d''une caisse en fin de journée, un par caisse et par jour.';

-- Until now each count expected its own day. Days that nobody counted stay behind: only what came after the last
-- counted day, or on it once it was counted, is asked of the next count.
with dernier as (
  select distinct on (t.id_caisse) t.id_caisse, t.date, t.montant_attendu,
         max(t.id_tirage) over (partition by t.id_caisse) as id_tirage
    from finances.tirage t
   order by t.id_caisse, t.date desc)
update finances.tirage t
   set cumul = d.montant_attendu
             + (select coalesce(sum(case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end), 0)
                  from finances.paiement p where p.id_caisse = d.id_caisse and p.jour < d.date)
             - (select coalesce(sum(x.montant), 0) from finances.depense x
                 where x.id_caisse = d.id_caisse and x.jour < d.date and x.date_annulation is null)
  from dernier d
 where t.id_tirage = d.id_tirage;

insert into core.parametre (cle, valeur, description) values
  ('OUVERTURE_AUTOMATIQUE', 'non',
   'oui : le premier encaissement d''un utilisateur lié à une caisse fermée l''ouvre, sans fond ; non : il est refusé.')
on conflict on constraint parametre_existant do nothing;
