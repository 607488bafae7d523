-- The rates of each code follow each other. Neither they nor the regime change: what an invoice was taxed with stays.

create view core.taxe_vue as
select t.id_taxe, t.code, t.libelle, t.taux, t.nature, t.du, t.au
  from core.taxe t;
comment on view core.taxe_vue is 'Taux des codes de taxe.';
comment on column core.taxe_vue.au is 'Dernier jour, null : jusqu''à la veille du taux suivant du même code.';

create view core.regime_vue as
select r.regime, r.du
  from core.regime r;
comment on view core.regime_vue is 'Régimes de l''organisation.';

create function core._taxe_du_jour(p_code text, p_jour date) returns table (id_taxe bigint, taux numeric)
language sql stable
begin atomic
  select t.id_taxe, t.taux::numeric
    from (select x.id_taxe, x.taux, x.au from core.taxe x
           where x.code = p_code and x.du <= p_jour order by x.du desc limit 1) t
   where t.au is null or t.au >= p_jour;
end;
comment on function core._taxe_du_jour is 'Taux d''un code un jour donné ; aucune ligne avant son premier jour et après son dernier.';

create function core._assujetti(p_jour date) returns boolean
language sql stable
return coalesce((select r.regime = 'ASSUJETTI' from core.regime r where r.du <= p_jour order by r.du desc limit 1),
                true);
comment on function core._assujetti is 'Vrai si l''organisation facture des taxes ce jour-là.';

-- The lock on the code makes two new rates of a code follow each other: the second one sees the first.
create function core._t20_taxe_suivante() returns trigger
language plpgsql volatile as $$
declare
  v core.taxe;
begin
  perform from core.code_taxe c where c.code = new.code for no key update;
  select * into v from core.taxe t
   where t.code = new.code and (t.du >= new.du or t.au >= new.du)
   order by t.du desc limit 1;
  if found then
    perform core.refuser(409, 'TAXE_CHEVAUCHEE',
      format('Le code %s a déjà un taux de %s %% depuis le %s%s : le suivant commence plus tard.', v.code,
             core.nombre_ecrire(v.taux), to_char(v.du, 'DD/MM/YYYY'),
             coalesce(' et jusqu''au ' || to_char(v.au, 'DD/MM/YYYY'), '')),
      jsonb_build_object('id_taxe', v.id_taxe::text, 'du', v.du, 'au', v.au));
  end if;
  return new;
end $$;
comment on function core._t20_taxe_suivante is 'Un taux commence après tous ceux de son code. Refuse TAXE_CHEVAUCHEE.';

create trigger t20_taxe_chevauchee before insert on core.taxe
  for each row execute function core._t20_taxe_suivante();

call core.figer('TAXE_FIGEE',
  'Un taux ou un régime ne change ni ne s''efface : le suivant le remplace dès son premier jour.',
  'before delete or update of id_taxe, code, taux, nature, du, au on core.taxe',
  'before update or delete on core.code_taxe', 'before update or delete on core.regime');
