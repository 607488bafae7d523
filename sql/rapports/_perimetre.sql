create type rapports.code_activite as enum ('VENTE_MARCHANDISES', 'PRESSING', 'RESTAURATION', 'SALLE_FETE',
  'LOCATION_RESIDENTIEL', 'LOCATION_COMMERCIAL');
comment on type rapports.code_activite is 'Activités qui ont un tableau de bord.';

create type rapports.periode as (du date, au date);
comment on type rapports.periode is 'Jours compris, null sans borne.';
call core.peut_etre_null('rapports.periode', 'du', 'au');

create function rapports._activite(p_code text) returns core.activite
language plpgsql stable as $$
declare
  v core.activite;
begin
  select * into strict v from core.activite a where a.code = p_code;
  -- A user with FINANCES.VOIR sees every activity, or only the bound one. Others see only the bound one.
  if v.id_activite is distinct from core.activite()
     and (core.activite() is not null or not auth._permise('FINANCES.VOIR')) then
    perform core.refuser(403, 'ACTIVITE_INTERDITE', 'Seuls les chiffres de votre activité vous sont ouverts.');
  end if;
  return v;
end $$;
comment on function rapports._activite is 'Activité d''un code, si l''utilisateur peut en voir les chiffres.';

create function rapports._entreprise() returns boolean
language sql stable
return core.activite() is null and core.caisse() is null;
comment on function rapports._entreprise is 'Vrai pour qui voit toute l''entreprise ; la paie n''est à aucune activité.';

create function rapports._salaires(p_du date, p_au date, p_statuts rh.statut_paie[]) returns numeric
language sql stable
return (select coalesce(sum(p.montant_a_payer), 0) from rh.paie p
         where p.periode between coalesce(to_char(p_du, 'YYYY-MM'), '')
                             and coalesce(to_char(p_au, 'YYYY-MM'), '9999-12')
           and p.statut = any (p_statuts));
comment on function rapports._salaires is 'Nets des bulletins de ces mois, dans ces états.';
