-- Devices of tills. The key of a device calls only the routes of its till that are marked so (app/http/endpoint.py).

create function finances._prefixe(p_id_appareil bigint) returns text
language sql immutable parallel safe
return 'C' || p_id_appareil;
comment on function finances._prefixe is 'Début des numéros de tickets d''un appareil, à lui pour toujours.';

create function finances._derniere_sequence(p_id_appareil bigint) returns bigint
language sql stable
return coalesce((select max(o.sequence) from finances.operation_appareil o where o.id_appareil = p_id_appareil), 0);
comment on function finances._derniere_sequence is
  'Numéro de la dernière opération arrivée d''un appareil ; toutes celles d''avant le sont.';

create view finances.appareil_vue as
select a.id_appareil, a.id_caisse, a.libelle::text as libelle, finances._prefixe(a.id_appareil) as prefixe,
       s.derniere_sequence, a.sequence_annoncee,
       greatest(a.sequence_annoncee - s.derniere_sequence, 0) as manquantes, a.date_creation, a.id_utilisateur,
       a.date_revocation, a.motif_revocation,
       a.id_cle is not null as actif
  from finances.appareil a
  join finances.caisse_vue c on c.id_caisse = a.id_caisse
 cross join lateral (select finances._derniere_sequence(a.id_appareil) as derniere_sequence) s;
comment on view finances.appareil_vue is 'Appareils des caisses que l''utilisateur peut voir.';
comment on column finances.appareil_vue.prefixe is 'Début de ses numéros de tickets : C1-000123.';
comment on column finances.appareil_vue.derniere_sequence is 'Numéro de la dernière opération arrivée.';
comment on column finances.appareil_vue.manquantes is 'Opérations annoncées qui ne sont pas arrivées.';
comment on column finances.appareil_vue.actif is 'Vrai tant que sa clé vaut.';
call core.jamais_null('finances.appareil_vue', 'libelle', 'prefixe', 'derniere_sequence', 'manquantes', 'actif');
call core.peut_etre_null('finances.appareil_vue', 'date_revocation', 'motif_revocation');

create function finances._permissions_d_appareil() returns text[]
language sql immutable parallel safe
return array['CLIENT.CREER', 'CLIENT.VOIR', 'FINANCES.CREER', 'FINANCES.ENCAISSER', 'FINANCES.SUPPRIMER',
  'FINANCES.VOIR', 'MARCHANDISE.CREER', 'MARCHANDISE.SUPPRIMER', 'MARCHANDISE.VOIR', 'PRESSING.CREER', 'PRESSING.MODIFIER',
  'PRESSING.SUPPRIMER', 'PRESSING.VOIR', 'RESIDENCE.VOIR', 'RESTAURANT.CREER', 'RESTAURANT.MODIFIER',
  'RESTAURANT.SUPPRIMER', 'RESTAURANT.VOIR'];
comment on function finances._permissions_d_appareil is 'Ce qu''un appareil peut faire, de ce que peut qui l''inscrit.';

create function finances._appareil_permis(p_id_caisse bigint, p_id_appareil bigint) returns void
language plpgsql stable as $$
begin
  if not exists (select from finances.appareil_vue a
                  where a.id_appareil = p_id_appareil and a.id_caisse = p_id_caisse
                    and not exists (select from finances.appareil x
                                     where x.id_cle = core.cle() and x.id_appareil <> p_id_appareil))
  then
    raise no_data_found;
  end if;
end $$;
comment on function finances._appareil_permis is 'Un appareil ne voit que lui-même. Refuse NOT_FOUND.';

-- A device may be stolen or broken. Only then is its money not waited for, and a person says why.
create function finances._appareils_exiger(p_id_caisse bigint, p_motif text) returns void
language plpgsql stable as $$
declare
  v record;
begin
  select sum(a.manquantes) as manquantes, string_agg(a.prefixe, ', ' order by a.id_appareil) as prefixes into v
    from finances.appareil_vue a
   where a.id_caisse = p_id_caisse and a.date_revocation is null and a.manquantes > 0;
  if v.manquantes > 0 then
    if p_motif is null then
      perform core.refuser(409, 'APPAREIL_NON_SYNCHRONISE',
        format('Il manque %s de %s : attendez que tout soit envoyé.',
               case v.manquantes when 1 then '1 opération' else v.manquantes || ' opérations' end, v.prefixes),
        jsonb_build_object('manquantes', v.manquantes::text, 'appareils', v.prefixes));
    elsif core.utilisateur() is not null and not auth._permise('FINANCES.SUPPRIMER') then
      perform auth._interdire('FINANCES.SUPPRIMER');
    end if;
  end if;
end $$;
comment on function finances._appareils_exiger is
  'Une caisse ne se ferme ni ne se compte tant qu''un de ses appareils a annoncé plus d''opérations qu''il n''en est arrivé, sauf avec un motif et FINANCES.SUPPRIMER. Refuse APPAREIL_NON_SYNCHRONISE.';

create function finances._t20_appareil_non_synchronise() returns trigger
language plpgsql volatile as $$
begin
  perform finances._appareils_exiger(new.id_caisse, to_jsonb(new) ->> tg_argv[0]);
  return new;
end $$;
comment on function finances._t20_appareil_non_synchronise is 'Refuse APPAREIL_NON_SYNCHRONISE ; l''argument est la colonne du motif.';

create trigger t20_appareil_non_synchronise before update on finances.periode_caisse
  for each row when (old.fermeture is null and new.fermeture is not null)
  execute function finances._t20_appareil_non_synchronise('motif_fermeture');
create trigger t20_appareil_non_synchronise before insert on finances.tirage
  for each row execute function finances._t20_appareil_non_synchronise('motif');

call core.figer('APPAREIL_FIGE', 'Un appareil garde sa caisse, et ses numéros ne reculent pas.',
  'before delete or truncate on finances.appareil',
  'change: before update on finances.appareil when (
    new.id_caisse <> old.id_caisse or new.sequence_annoncee < old.sequence_annoncee)');
