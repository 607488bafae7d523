-- Locks: see _ligne.sql.

create type tresorerie.releve_recu as (
  id_releve bigint, id_compte bigint, fichier text, format tresorerie.format_releve, du date, au date, lignes integer,
  nouvelles integer, rapprochees integer, a_rapprocher integer, prouve boolean, message text);
comment on type tresorerie.releve_recu is 'Relevé reçu, et ce que son arrivée a fait.';
comment on column tresorerie.releve_recu.lignes is 'Lignes du fichier.';
comment on column tresorerie.releve_recu.nouvelles is 'Celles qu''aucun relevé d''avant n''avait.';
comment on column tresorerie.releve_recu.rapprochees is 'Lignes du compte que cet envoi a rapprochées.';
comment on column tresorerie.releve_recu.a_rapprocher is 'Lignes du compte qui ne le sont pas.';
comment on column tresorerie.releve_recu.prouve is 'Vrai si ses soldes prouvent la somme de ses lignes.';
comment on column tresorerie.releve_recu.message is 'Ce que ce relevé ne prouve pas.';
call core.peut_etre_null('tresorerie.releve_recu', 'du', 'au', 'message');

create function tresorerie._lignes_seules(p_id_compte bigint) returns integer
language sql stable
return (select count(*) from tresorerie.ligne l
         where l.id_compte = p_id_compte
           and not exists (select from tresorerie.rapprochement r where r.id_ligne = l.id_ligne));
comment on function tresorerie._lignes_seules is 'Nombre de lignes d''un compte qui ne sont rapprochées de rien.';

create function tresorerie.releve_creer(
  p_id_compte bigint, p_fichier text, p_empreinte text, p_format tresorerie.format_releve, p_parties jsonb)
returns tresorerie.releve_recu
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_compte tresorerie.compte := tresorerie._rapprochement_tenir(p_id_compte);
  v_parties jsonb := tresorerie._releve_lisible(tresorerie._releve_du_compte(v_compte, p_parties));
  v_lignes tresorerie.ligne_lue[] := array(select l from tresorerie._releve_lire(v_parties) l);
  v tresorerie.releve_recu;
  v_seules integer;
begin
  perform tresorerie._releve_verifier(v_parties, v_lignes);
  v_lignes := tresorerie._lignes_reconnaitre(p_id_compte, array(select l from unnest(v_lignes) l where l.montant <> 0));
  v.prouve := tresorerie._releve_prouve(v_parties, v_lignes);
  insert into tresorerie.releve as r (id_compte, fichier, empreinte, format, du, au, lignes, prouve, id_utilisateur)
  select p_id_compte, left(p_fichier, 200), p_empreinte, p_format, min(l.jour), max(l.jour), count(*), v.prouve,
         core.utilisateur()
    from unnest(v_lignes) l
  on conflict on constraint releve_unique do nothing;
  select r.id_releve, r.id_compte, r.fichier, r.format, r.du, r.au, r.lignes
    into strict v.id_releve, v.id_compte, v.fichier, v.format, v.du, v.au, v.lignes
    from tresorerie.releve r where r.id_compte = p_id_compte and r.empreinte = p_empreinte;
  insert into tresorerie.ligne (id_compte, id_releve, jour, rang, libelle, reference, identifiant, montant, solde,
                                empreinte, occurrence)
  select p_id_compte, v.id_releve, l.jour,
         case when l.jour in (select t.jour from tresorerie.ligne t where t.id_compte = p_id_compte) then 0
              else row_number() over (partition by l.jour order by l.partie, l.ordre) end,
         l.libelle, l.reference, l.identifiant, l.montant, l.solde, l.empreinte, l.occurrence
    from unnest(v_lignes) l order by l.partie, l.ordre
  on conflict on constraint ligne_de_releve_unique do nothing;
  get diagnostics v.nouvelles = row_count;
  perform tresorerie._lignes_ranger(p_id_compte, v_lignes);
  v_seules := tresorerie._lignes_seules(p_id_compte);
  perform tresorerie._rapprocher(p_id_compte);
  v.a_rapprocher := tresorerie._lignes_seules(p_id_compte);
  v.rapprochees := v_seules - v.a_rapprocher;
  v.message := case when not v.prouve then
    'Ce relevé n''a pas de solde à chaque bout : rien ne prouve la somme de ses lignes.' end;
  return v;
end $$;
comment on function tresorerie.releve_creer is
  'Prend le relevé d''un compte et rapproche ses lignes. Une ligne que le compte a déjà n''est pas reprise : un fichier renvoyé, ou qui en recouvre un autre, n''ajoute rien deux fois.';
