create view core.parametre_vue as
select p.id_parametre, p.cle, p.valeur, p.description, p.date_maj
  from core.parametre p;
comment on view core.parametre_vue is 'Réglages de l''organisation.';
comment on column core.parametre_vue.date_maj is 'Dernière écriture.';

create function core._t10_parametre_date() returns trigger
language plpgsql as $$
begin
  new.date_maj := now();
  return new;
end $$;
comment on function core._t10_parametre_date is 'Tient la date de dernière écriture d''un paramètre.';

create trigger t10_parametre_date before insert or update on core.parametre
for each row execute function core._t10_parametre_date();

-- Every slice computes dates with FUSEAU_HORAIRE, and every number begins with CODE_ORGANISATION.
create function core._t20_parametre_valeur() returns trigger
language plpgsql as $$
begin
  if new.cle = 'FUSEAU_HORAIRE' and not exists (select from pg_timezone_names z where z.name = new.valeur) then
    perform core.refuser(400, 'FUSEAU_HORAIRE_INCONNU',
      format('Le fuseau « %s » n''existe pas (exemple : Africa/Abidjan).', left(new.valeur, 50)));
  elsif new.cle = 'CODE_ORGANISATION' and new.valeur !~ '^[A-Z0-9]{2,10}$' then
    perform core.refuser(400, 'CODE_ORGANISATION_INVALIDE',
      'Le code de l''organisation compte 2 à 10 majuscules ou chiffres (exemple : GSG).');
  -- The trigger t90_paiement_important does not run for payments below 100000.
  elsif new.cle = 'SEUIL_PAIEMENT_IMPORTANT' and new.valeur !~ '^[1-9][0-9]{5,11}$' then
    perform core.refuser(400, 'SEUIL_PAIEMENT_INVALIDE',
      'Le seuil d''un paiement important est un montant entier, de 100000 au moins (exemple : 1000000).');
  elsif new.cle = 'SAUVEGARDE_RETENTION' and new.valeur !~ '^([1-9][0-9]{0,2}|1000)$' then
    perform core.refuser(400, 'SAUVEGARDE_RETENTION_INVALIDE', 'Le nombre de sauvegardes gardées va de 1 à 1000.');
  -- The trigger t60_montant_maximal does not run for amounts up to one million.
  elsif new.cle = 'MONTANT_MAXIMAL' and new.valeur !~ '^[1-9][0-9]{6,11}$' then
    perform core.refuser(400, 'MONTANT_MAXIMAL_INVALIDE',
      'Le plus grand montant d''une écriture est un nombre entier, de 1000000 à 999999999999.');
  elsif new.cle = 'OUVERTURE_AUTOMATIQUE' and new.valeur not in ('oui', 'non') then
    perform core.refuser(400, 'OUVERTURE_AUTOMATIQUE_INVALIDE',
      'L''ouverture automatique des caisses est « oui » ou « non ».');
  elsif new.cle = 'VITRINE' and new.valeur not in ('0', '1') then
    perform core.refuser(400, 'VITRINE_INVALIDE', 'La vitrine est ouverte, « 1 », ou fermée, « 0 ».');
  elsif new.cle = 'TAXES_PRIX' and new.valeur not in ('TTC', 'HT') then
    perform core.refuser(400, 'TAXES_PRIX_INVALIDE', 'Les prix sont « TTC », taxe comprise, ou « HT ».');
  elsif new.cle = 'TAXES_ARRONDI' and new.valeur not in ('LIGNE', 'FACTURE') then
    perform core.refuser(400, 'TAXES_ARRONDI_INVALIDE', 'La taxe s''arrondit par « LIGNE » ou par « FACTURE ».');
  elsif new.cle = 'TAXES_DUES' and new.valeur not in ('FACTURE', 'ENCAISSEMENT') then
    perform core.refuser(400, 'TAXES_DUES_INVALIDE', 'La taxe est due à la « FACTURE » ou à l''« ENCAISSEMENT ».');
  elsif new.cle = 'NUMERO_CONTRIBUABLE_MOTIF' and not core._motif_valable(new.valeur) then
    perform core.refuser(400, 'NUMERO_CONTRIBUABLE_MOTIF_INVALIDE',
      'Ce motif n''est pas une expression régulière (exemple : ^[0-9]{7}[A-Z]$).');
  elsif new.cle = 'NUMERO_CONTRIBUABLE' and not core._numero_contribuable_valable(new.valeur) then
    perform core.refuser(400, 'NUMERO_CONTRIBUABLE_INVALIDE', 'Ce numéro de contribuable n''a pas la forme attendue.',
                         jsonb_build_object('motif', core.parametre('NUMERO_CONTRIBUABLE_MOTIF')));
  elsif new.cle = 'SCEAU_ABONNES' and new.valeur !~ '^([^@\s,]+@[^@\s,]+(, ?[^@\s,]+@[^@\s,]+){0,9})?$' then
    perform core.refuser(400, 'SCEAU_ABONNES_INVALIDE',
      'Donnez dix adresses électroniques au plus, séparées par des virgules (exemple : compta@example.com, direction@example.com).');
  elsif new.cle = 'RETENTION_LEGALE' and new.valeur !~ '^([1-9]|[12][0-9]|30)$' then
    perform core.refuser(400, 'RETENTION_LEGALE_INVALIDE', 'La durée légale de conservation va de 1 à 30 ans.');
  -- Amounts are stored with two decimals.
  elsif new.cle = 'DEVISE_DECIMALES' and new.valeur !~ '^[0-2]$' then
    perform core.refuser(400, 'DEVISE_DECIMALES_INVALIDE',
      'La devise compte 0, 1 ou 2 décimales (0 pour le franc CFA, 2 pour l''euro).');
  end if;
  return new;
end $$;
comment on function core._t20_parametre_valeur is 'Refuse une valeur dont le service ne saurait rien faire.';

create trigger t20_parametre_valeur before insert or update of cle, valeur on core.parametre
for each row execute function core._t20_parametre_valeur();

create function core._t50_parametre_fuseau() returns trigger
language plpgsql volatile as $$
begin
  perform set_config('comptoir.fuseau', '', true);
  return null;
end $$;
comment on function core._t50_parametre_fuseau is 'Fait relire FUSEAU_HORAIRE à la suite de la transaction.';

create trigger t50_parametre_fuseau after insert or update or delete on core.parametre
  for each statement execute function core._t50_parametre_fuseau();

create function core._vitrine_ouverte() returns void
language plpgsql stable as $$
begin
  if core.parametre('VITRINE') is distinct from '1' then
    raise no_data_found;
  end if;
end $$;
comment on function core._vitrine_ouverte is 'Veille à ce que le catalogue se montre sans compte. Refuse NOT_FOUND.';
