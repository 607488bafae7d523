-- A payment names no account. It lands on the account of its method and activity on its day (decision 89), and only
-- when it has no till. Balances therefore come from the sums of payments without a till, and cost a settlement nothing.

create view tresorerie._paiement_jour_vue as
select r.jour, r.id_moyen, r.id_activite, r.montant::numeric as montant from finances.resume_moyen r
union all
select p.jour, p.id_moyen, p.id_activite, case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
  from finances._paiement_recent_vue p where p.id_caisse is null;
comment on view tresorerie._paiement_jour_vue is 'Paiements faits sans caisse, par jour, moyen et activité, en plusieurs lignes à additionner.';

create function tresorerie._recoit(p_compte tresorerie.compte, p_id_activite bigint, p_jour date) returns boolean
language sql immutable parallel safe
return ((p_compte).id_activite is null or (p_compte).id_activite = p_id_activite)
   and p_jour between coalesce((p_compte).depuis, '-infinity') and coalesce((p_compte).fin, 'infinity');
comment on function tresorerie._recoit is 'Vrai si un compte peut recevoir, ce jour, l''argent de cette activité.';

-- The account of an activity comes before the one without activity, and of two the later one.
create function tresorerie._passe_avant(p_compte tresorerie.compte, p_autre tresorerie.compte) returns boolean
language sql immutable parallel safe
return ((p_compte).id_activite is not null, coalesce((p_compte).depuis, '-infinity'), (p_compte).id_compte)
     > ((p_autre).id_activite is not null, coalesce((p_autre).depuis, '-infinity'), (p_autre).id_compte);
comment on function tresorerie._passe_avant is 'Vrai si, de deux comptes qui recevraient un paiement, il arrive au premier.';

create function tresorerie._compte_solde(p_compte tresorerie.compte, p_au date) returns core.somme
language sql stable
return (select coalesce(sum(p.montant), 0) from tresorerie._paiement_jour_vue p
         where p.id_moyen = (p_compte).id_moyen and p.jour <= p_au
           and tresorerie._recoit(p_compte, p.id_activite, p.jour)
           and not exists (select from tresorerie.compte o
                            where o.id_moyen = (p_compte).id_moyen and tresorerie._recoit(o, p.id_activite, p.jour)
                              and tresorerie._passe_avant(o, p_compte)))
     + (select coalesce(sum(m.montant), 0) from tresorerie._mouvement_vue m
         where m.id_compte = (p_compte).id_compte and m.jour <= p_au)
     - (select coalesce(sum(d.montant), 0) from finances.depense d
         where d.id_compte = (p_compte).id_compte and d.jour <= p_au and d.date_annulation is null);
comment on function tresorerie._compte_solde is
  'Solde d''un compte au soir d''un jour : ses paiements, plus ou moins ses virements et leurs frais, moins ses dépenses.';

create function tresorerie._solde_visible(p_compte tresorerie.compte) returns boolean
language sql stable
return core.caisse() is null and core._visible((p_compte).id_activite, core.activite());
comment on function tresorerie._solde_visible is 'Vrai si l''utilisateur voit ce qu''un compte contient.';

create function tresorerie._compte_permis_verifier(p_compte tresorerie.compte) returns void
language plpgsql stable as $$
begin
  if not tresorerie._solde_visible(p_compte) then
    perform core.refuser(400, 'COMPTE_INTERDIT',
                         'Vous pouvez verser sur ce compte et rien d''autre : vous ne voyez pas son solde.');
  end if;
end $$;
comment on function tresorerie._compte_permis_verifier is
  'Un utilisateur ne modifie un compte et n''en retire de l''argent que s''il en voit le solde.';

create function tresorerie._t20_compte_interdit() returns trigger
language plpgsql stable as $$
begin
  perform tresorerie._compte_permis_verifier(old);
  return new;
end $$;
comment on function tresorerie._t20_compte_interdit is 'Refuse COMPTE_INTERDIT à qui ne voit pas le solde du compte.';

create trigger t20_compte_interdit before update on tresorerie.compte
  for each row execute function tresorerie._t20_compte_interdit();

-- A user bound to an activity sees the accounts that serve every activity too, to send money there, and not what they
-- hold. A user bound to a till sees no balance.
create function tresorerie._comptes(p_au date)
returns table (id_compte bigint, libelle text, genre tresorerie.genre_compte, fournisseur tresorerie.fournisseur,
               identifiant text, id_moyen bigint, id_activite bigint, actif boolean, solde core.somme)
language sql stable
begin atomic
  select c.id_compte, c.libelle::text, c.genre, c.fournisseur, c.identifiant::text, c.id_moyen, c.id_activite, c.actif,
         case when tresorerie._solde_visible(c)
              then tresorerie._compte_solde(c, coalesce(p_au, 'infinity')) end::core.somme
    from tresorerie.compte c
   where c.id_activite is null or core._visible(c.id_activite, (select core.activite()));
end;
comment on function tresorerie._comptes is 'Comptes que l''utilisateur peut voir, et leur solde au soir de ce jour, ou de tous les jours.';

create view tresorerie.compte_vue as select c.* from tresorerie._comptes(null) c;
comment on view tresorerie.compte_vue is
  'Comptes hors caisse : ceux de son activité et ceux de toutes les activités, pour un utilisateur qui en a une.';
comment on column tresorerie.compte_vue.solde is
  'Paiements reçus et rendus, virements, frais et dépenses ; null pour un utilisateur lié à une caisse, et d''un compte de toutes les activités pour celui qui n''en voit qu''une.';
call core.null_comme('tresorerie.compte_vue', 'tresorerie.compte');
call core.jamais_null('tresorerie.compte_vue', 'libelle');
call core.peut_etre_null('tresorerie.compte_vue', 'solde');

call core.figer('COMPTE_FIGE', 'Le moyen et l''activité d''un compte ne changent pas : son solde en dépend.',
  'before update on tresorerie.compte when ((new.id_moyen, new.id_activite, new.depuis)
    is distinct from (old.id_moyen, old.id_activite, old.depuis))');

create function tresorerie._t10_compte_dater() returns trigger
language plpgsql volatile as $$
begin
  if tg_op = 'INSERT' then
    new.depuis := case when exists (select from tresorerie.compte c where c.id_moyen = new.id_moyen)
                       then core.aujourdhui() end;
  end if;
  new.fin := case when not new.actif then coalesce(new.fin, core.aujourdhui()) end;
  return new;
end $$;
comment on function tresorerie._t10_compte_dater is
  'Premier et dernier jour dont les paiements arrivent sur un compte : le premier compte d''un moyen prend ceux d''avant lui, un autre ceux de ce jour et d''après.';

create trigger t10_compte_dater before insert or update of actif, fin on tresorerie.compte
  for each row execute function tresorerie._t10_compte_dater();

create function tresorerie._t20_compte_du_credit() returns trigger
language plpgsql volatile as $$
begin
  if finances._est_credit(new.id_moyen) then
    perform core.refuser(400, 'COMPTE_DU_CREDIT',
                         'Le crédit des clients n''est pas de l''argent : il n''a pas de compte.');
  end if;
  return new;
end $$;
comment on function tresorerie._t20_compte_du_credit is 'Refuse un compte du moyen qui puise dans le crédit des clients.';

create trigger t20_compte_du_credit before insert on tresorerie.compte
  for each row execute function tresorerie._t20_compte_du_credit();

call core.detail('tresorerie._compte', 'tresorerie.compte_vue', 'id_compte');
comment on function tresorerie._compte is 'Un compte que l''utilisateur peut voir.';
