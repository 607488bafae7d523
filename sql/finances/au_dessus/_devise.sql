-- Once amounts are recorded, another time zone would give their moments another day than the stored one.

create function finances._t20_parametre_devise() returns trigger
language plpgsql volatile as $$
begin
  if tg_op = 'UPDATE' and (new.cle, new.valeur) = (old.cle, old.valeur) then
    return new;
  end if;
  if exists (select from facturation.facture) or exists (select from finances.paiement)
     or exists (select from finances.depense) or exists (select from tresorerie.virement) then
    if 'FUSEAU_HORAIRE' in (new.cle, old.cle) then
      perform core.refuser(409, 'FUSEAU_FIXE',
        'Le fuseau horaire ne change plus : des factures, des paiements, des dépenses ou des virements ont leur jour dans celui-ci.');
    end if;
    perform core.refuser(409, 'DEVISE_FIXE',
      'La devise et ses décimales ne changent plus : des factures, des paiements, des dépenses ou des virements sont comptés ainsi.');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
comment on function finances._t20_parametre_devise is
  'DEVISE_DEFAUT, DEVISE_DECIMALES et FUSEAU_HORAIRE ne se créent, ne changent et ne s''effacent plus dès qu''il y a une facture, un paiement, une dépense ou un virement : DEVISE_FIXE, FUSEAU_FIXE.';

create trigger t20_parametre_devise before insert on core.parametre
  for each row when (new.cle in ('DEVISE_DEFAUT', 'DEVISE_DECIMALES', 'FUSEAU_HORAIRE'))
  execute function finances._t20_parametre_devise();

create trigger t20_parametre_devise_change before update or delete on core.parametre
  for each row when (old.cle in ('DEVISE_DEFAUT', 'DEVISE_DECIMALES', 'FUSEAU_HORAIRE'))
  execute function finances._t20_parametre_devise();
