-- Expenses that an account pays. The account is locked against its closing until the expense is written.

create function tresorerie._t10_depense_du_compte() returns trigger
language plpgsql volatile as $$
declare
  v_compte tresorerie.compte;
begin
  select c.* into v_compte from tresorerie.compte c where c.id_compte = new.id_compte for share;
  if found then
    perform tresorerie._compte_permis_verifier(v_compte);
  end if;
  if not v_compte.actif then
    perform core.refuser(409, 'COMPTE_INACTIF', format('Le compte « %s » est désactivé.', v_compte.libelle));
  end if;
  new.id_activite := coalesce(new.id_activite, v_compte.id_activite);
  return new;
end $$;
comment on function tresorerie._t10_depense_du_compte is
  'Un compte désactivé, ou dont l''utilisateur ne voit pas le solde, ne paie rien ; l''activité d''une dépense qui n''en donne pas est celle de son compte.';

-- The name comes before t10_depense_remplir, which gives the activity of the user.
create trigger t10_depense_du_compte before insert on finances.depense
  for each row when (new.id_compte is not null) execute function tresorerie._t10_depense_du_compte();

create function tresorerie._t20_compte_d_une_autre_activite() returns trigger
language plpgsql stable as $$
begin
  if exists (select from tresorerie.compte c
              where c.id_compte = new.id_compte and c.id_activite is distinct from new.id_activite
                and c.id_activite is not null) then
    perform core.refuser(409, 'COMPTE_D_UNE_AUTRE_ACTIVITE', 'Ce compte est celui d''une autre activité.');
  end if;
  return null;
end $$;
comment on function tresorerie._t20_compte_d_une_autre_activite is 'Le compte d''une activité ne paie que les dépenses de celle-ci.';

create trigger t20_compte_d_une_autre_activite after insert or update on finances.depense
  for each row when (new.id_compte is not null) execute function tresorerie._t20_compte_d_une_autre_activite();
