-- The largest amount of one entry. A value typed in the wrong field must not spoil the sums of reports. Columns of the
-- types below are entries, and sums have the type core.somme. A document checks its own total (t60_total_maximal).

create function core._montant_verifier(p_champ text, p_montant numeric) returns void
language plpgsql stable as $$
declare
  v_maximal numeric := coalesce(core.parametre('MONTANT_MAXIMAL')::numeric, 1000000000);
begin
  if abs(p_montant) > v_maximal then
    perform core.refuser(400, 'MONTANT_TROP_GRAND',
      format(
        'Le champ « %s » vaut %s, et un montant ne dépasse pas %s. Vérifiez le chiffre saisi ; un administrateur peut relever le paramètre MONTANT_MAXIMAL.',
        (select m.mots from core.en_mots('TITRE', p_champ) m), core.nombre_ecrire(p_montant),
        core.nombre_ecrire(v_maximal)),
      jsonb_build_object('champ', p_champ, 'montant', p_montant::text, 'maximum', v_maximal::text));
  end if;
end $$;
comment on function core._montant_verifier is 'Refuse une écriture plus grande que MONTANT_MAXIMAL.';
-- Every amount may be too large: no operation publishes the rule.
call core.ne_refuse_pas('core._montant_verifier', 'MONTANT_TROP_GRAND');

create function core._t60_montant_maximal() returns trigger
language plpgsql volatile as $$
declare
  v_ligne jsonb := to_jsonb(new);
  v_avant jsonb := case tg_op when 'UPDATE' then to_jsonb(old) end;
  v_champ text;
begin
  foreach v_champ in array tg_argv loop
    -- An amount written under a higher limit may still be reduced.
    if abs((v_ligne ->> v_champ)::numeric) > coalesce(abs((v_avant ->> v_champ)::numeric), 0) then
      perform core._montant_verifier(v_champ, (v_ligne ->> v_champ)::numeric);
    end if;
  end loop;
  return new;
end $$;
comment on function core._t60_montant_maximal is
  'Refuse un montant plus grand que MONTANT_MAXIMAL dans les colonnes que nomment ses arguments, une fois remplies et dérivées. Refuse MONTANT_TROP_GRAND.';

create function core._ligne_verifier(p_champ_du_prix text, p_quantite numeric, p_prix numeric) returns void
language plpgsql stable as $$
begin
  perform core._montant_verifier('lignes.' || p_champ_du_prix, p_prix);
  perform core._montant_verifier('lignes.total', p_quantite * p_prix);
end $$;
comment on function core._ligne_verifier is 'Refuse une ligne dont le prix ou le total dépasse MONTANT_MAXIMAL.';

create function core._t20_ligne_maximale() returns trigger
language plpgsql volatile as $$
declare
  v_ligne constant jsonb := to_jsonb(new);
begin
  perform core._ligne_verifier(tg_argv[1], (v_ligne ->> tg_argv[0])::numeric, (v_ligne ->> tg_argv[1])::numeric);
  return new;
end $$;
comment on function core._t20_ligne_maximale is
  'Refuse une ligne dont le prix ou le total, quantité × prix, dépasse MONTANT_MAXIMAL ; ses arguments sont ces deux colonnes. Refuse MONTANT_TROP_GRAND.';

-- MONTANT_MAXIMAL is at least one million, so the trigger does not run for smaller amounts. The tables left out check
-- their amounts elsewhere: a payment and a transfer, because what gives an older one back is never refused; an invoice
-- and its lines, because they also check their totals. An application is never larger than its payment. A line of the
-- ledger repeats its document.
do $$
declare
  v record;
begin
  for v in
    select c.oid::regclass as entite, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as colonnes,
           string_agg(quote_literal(a.attname), ', ' order by a.attnum) as arguments,
           string_agg(format('abs(new.%I) > 1000000', a.attname), ' or ' order by a.attnum) as condition
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attgenerated = '' and not a.attisdropped
       and a.atttypid in ('core.montant'::regtype, 'core.montant_du_reglement'::regtype, 'core.montant_signe'::regtype)
       and c.oid <> all (
         '{finances.paiement,finances.application_paiement,facturation.facture,facturation.facture_ligne,
           tresorerie.virement,compta.ecriture}'::regclass[])
     group by c.oid
     order by c.oid
  loop
    execute format(
      'create trigger t60_montant_maximal before insert or update of %s on %s for each row when (%s)'
      ' execute function core._t60_montant_maximal(%s)', v.colonnes, v.entite, v.condition, v.arguments);
  end loop;
end $$;
