create function evenement._t20_evenement_efface() returns trigger
language plpgsql volatile as $$
begin
  if to_jsonb(new) - 'donnees' <> to_jsonb(old) - 'donnees'
     or not audit._efface_seulement(old.donnees::jsonb, new.donnees::jsonb)
     or not exists (select from audit.effacement e where e.evenements @> old.id_evenement) then
    perform core.refuser(409, 'EVENEMENT_FIGE', 'Un événement ne change ni ne s''efface.');
  end if;
  return new;
end $$;
comment on function evenement._t20_evenement_efface is
  'Refuse de réécrire un événement, à la main aussi, sauf pour retirer des textes de ceux que nomme audit.effacement.';

create trigger t20_evenement_fige_efface before update on evenement.evenement
  for each row execute function evenement._t20_evenement_efface();

create function evenement._champs_personnels(p_type text) returns text[]
language sql immutable parallel safe
return case split_part(p_type, '.', 1) when 'client' then audit._champs_personnels('client', 'client')
       when 'caisse' then audit._champs_personnels('finances', 'exception_caisse')
       else array['client_nom', 'client_prenoms', 'nom_client', 'client_tel', 'declarant_nom', 'declarant_prenom',
                  'declarant_login', 'motif', 'motif_annulation', 'motif_resiliation', 'motif_statut', 'note', 'notes',
                  'observations', 'adresse_livraison', 'titre', 'description', 'lieu', 'note_resolution'] end;
comment on function evenement._champs_personnels is 'Champs d''un événement qui disent qui est une personne, ou qui peuvent le dire.';

create function evenement._evenements_de(p audit.rattachements) returns int8multirange
language sql stable
return coalesce((
  select range_agg(int8range(e.id_evenement, e.id_evenement, '[]'))
    from evenement.evenement e
   where e.type like 'client.%' and e.id_entite = (p).id_client
      or e.type = 'caisse.exception' and e.id_entite = any ((p).exceptions)
      or e.type like 'paiement.%' and e.id_entite = any ((p).paiements)
      or e.type like 'signalement.%' and e.id_entite = any ((p).signalements)
      or e.donnees::text ~ format('"id_client" ?: ?"%s"', (p).id_client)), '{}');
comment on function evenement._evenements_de is 'Événements qui parlent d''un client.';

create function evenement._evenements_effacer(p_ids int8multirange) returns integer
language plpgsql volatile as $$
declare
  v_evenements integer;
begin
  update evenement.evenement e
     set donnees = x.donnees::json
    from (select a.id_evenement,
                 audit._effacer_champs(a.donnees::jsonb, evenement._champs_personnels(a.type)) as donnees
            from evenement.evenement a where a.id_evenement <@ p_ids offset 0) x
   where e.id_evenement = x.id_evenement and x.donnees <> e.donnees::jsonb;
  get diagnostics v_evenements = row_count;
  update evenement.livraison l set reponse = '' where l.id_evenement <@ p_ids and l.reponse <> '';
  return v_evenements;
end $$;
comment on function evenement._evenements_effacer is
  'Retire de ces événements les textes qui parlent d''une personne, et ce que les destinataires en ont répondu ; rend le nombre d''événements changés.';
-- audit.effacement names these events, and only texts go.
call core.ne_refuse_pas('evenement._evenements_effacer', 'EVENEMENT_FIGE');
