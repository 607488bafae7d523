-- A trial and an import run the same function (_passer.sql).

create type echange.erreur_de_ligne as (ligne integer, champ text, message text);
comment on type echange.erreur_de_ligne is 'Ce qui ne va pas dans une ligne.';
comment on column echange.erreur_de_ligne.ligne is 'Rang dans la feuille ; l''en-tête est la ligne 1.';
comment on column echange.erreur_de_ligne.champ is 'Champ de l''API, null si la ligne entière est en cause.';
comment on column echange.erreur_de_ligne.message is 'Ce qui ne va pas.';
call core.peut_etre_null('echange.erreur_de_ligne', 'champ');

create function echange._permission(p_entite echange.entite) returns text
language sql immutable parallel safe
return case
  when p_entite in ('produits', 'stock', 'fournisseurs') then 'MARCHANDISE.CREER'
  when p_entite in ('batiments', 'logements', 'contrats') then 'RESIDENCE.CREER'
  when p_entite = 'clients' then 'CLIENT.CREER'
  when p_entite = 'employes' then 'RH.CREER'
  when p_entite = 'plats' then 'RESTAURANT.CREER'
  else 'FACTURATION.CREER' end;
comment on function echange._permission is 'Permission que demande l''import d''une entité : celle d''en créer une.';

create view echange.import_vue as
select i.id_import, i.entite, i.fichier, i.empreinte, i.etat, i.lignes, i.acceptees, i.refusees, i.deja, i.fait,
       i.total, i.tout, i.message, i.colonnes::core.donnees as colonnes, i.date_creation, i.date_fin
  from echange.import i
 where i.id_utilisateur is not distinct from (select core.utilisateur())
   and auth._permise(echange._permission(i.entite));
comment on view echange.import_vue is 'Imports de l''utilisateur, de ce qu''il peut créer.';
comment on column echange.import_vue.colonnes is 'Pour chaque colonne de la feuille, le champ reconnu, null si elle est laissée de côté ; renvoyé corrigé, il vaut.';
call core.jamais_null('echange.import_vue', 'colonnes');

-- The first errors only: the report has all.
create view echange.import_detail_vue as
select v.*, array(
         select row(x.ligne, x.champ, x.message)::echange.erreur_de_ligne
           from (select l.ligne, e.value ->> 'champ' as champ, e.value ->> 'message' as message
                   from echange.ligne l cross join jsonb_array_elements(l.erreurs) with ordinality e
                  where l.id_import = v.id_import and l.issue = 'REFUSEE'
                  order by l.ligne, e.ordinality limit 1000) x) as erreurs
  from echange.import_vue v;
comment on view echange.import_detail_vue is 'Un import, et ce qui ne va pas dans ses lignes, les 1 000 premières erreurs.';
comment on column echange.import_detail_vue.erreurs is 'Ce qui ne va pas, dans l''ordre de la feuille, 1 000 au plus ; le rapport a tout.';

create function echange._import_verrouiller(p_id_import bigint) returns echange.import
language plpgsql volatile as $$
declare
  v echange.import;
begin
  select * into strict v from echange.import i
   where i.id_import = p_id_import and i.id_utilisateur is not distinct from core.utilisateur()
     for no key update;
  return v;
end $$;
comment on function echange._import_verrouiller is 'Un import de l''utilisateur, verrouillé.';

create function echange._exiger(p_entite echange.entite) returns void
language plpgsql stable as $$
begin
  if not auth._permise(echange._permission(p_entite)) then
    perform auth._interdire(echange._permission(p_entite));
  end if;
end $$;
comment on function echange._exiger is 'Refuse FORBIDDEN à qui ne peut créer ce qu''il importe.';

-- The job acts as the account or the key that asked for it, within the limits of then and with the rights of now.
create function echange._agir(p_import echange.import) returns boolean
language plpgsql volatile as $$
declare
  v auth.perimetre_vue;
  v_cle auth.cle_perimetre_vue;
begin
  perform set_config('TimeZone', core._fuseau_enregistre(), true);
  if (p_import).id_utilisateur is null then
    return true;
  end if;
  select * into v from auth.perimetre_vue p where p.id_utilisateur = (p_import).id_utilisateur;
  select * into v_cle from auth.cle_perimetre_vue k where k.id_cle = (p_import).id_cle;
  perform set_config('comptoir.utilisateur', v.id_utilisateur::text, true),
          set_config('comptoir.client', v.id_client::text, true),
          set_config('comptoir.caisse', coalesce(v.id_caisse, (p_import).id_caisse)::text, true),
          set_config('comptoir.activite', coalesce(v.id_activite, (p_import).id_activite)::text, true),
          set_config('comptoir.cle', (p_import).cle, true),
          set_config('comptoir.permissions', v_cle.permissions::text, true),
          set_config('comptoir.requete', 'import ' || (p_import).id_import, true);
  return v.actif and ((p_import).cle is null or auth._cle_vaut(v_cle))
     and auth._permise(echange._permission((p_import).entite));
end $$;
comment on function echange._agir is
  'Agit désormais, dans cette transaction, comme le compte ou la clé qui a envoyé l''import ; faux s''il n''en a plus le droit.';

create function echange._compter(p_id_import bigint) returns void
language sql volatile
begin atomic
  update echange.import i
     set (lignes, acceptees, refusees, deja) = (
           select count(*), count(*) filter (where l.issue in ('ACCEPTEE', 'FAITE', 'ANNULEE')),
                  count(*) filter (where l.issue = 'REFUSEE'), count(*) filter (where l.issue = 'DEJA')
             from echange.ligne l where l.id_import = p_id_import)
   where i.id_import = p_id_import;
end;
comment on function echange._compter is 'Compte les lignes d''un import par issue.';

-- The account is not locked, because it would be until all rows are stored: two processes may each let one more in.
create function echange._t20_import_nombre() returns trigger
language plpgsql as $$
begin
  if (select count(*) from echange.import i
       where i.id_utilisateur = new.id_utilisateur
         and i.etat in ('RECEPTION', 'EN_ESSAI', 'ESSAYE', 'EN_COURS')) >= 5 then
    perform core.refuser(409, 'IMPORTS_EN_ATTENTE', 'Cinq de vos imports attendent : validez-en ou annulez-en un.');
  end if;
  return new;
end $$;
comment on function echange._t20_import_nombre is 'Cinq imports d''un compte attendent au plus. Refuse IMPORTS_EN_ATTENTE.';

create trigger t20_imports_en_attente before insert on echange.import
  for each row execute function echange._t20_import_nombre();
