-- A statement that writes a payslip or its elements locks the payslip first.

create view rh.paie_vue as
select p.id_paie, p.id_employe, p.periode, p.salaire_base, p.total_elements, p.total_retenues, p.montant_a_payer,
       p.statut, p.id_paiement, e.nom as employe_nom, e.prenom as employe_prenom
  from rh.paie p
  join rh.employe_vue e on e.id_employe = p.id_employe;
comment on view rh.paie_vue is 'Bulletins de paie.';
comment on column rh.paie_vue.total_elements is 'Somme des éléments qui s''ajoutent.';
comment on column rh.paie_vue.total_retenues is 'Somme des éléments qui se déduisent, positive.';
comment on column rh.paie_vue.montant_a_payer is 'Net : salaire_base + total_elements − total_retenues.';
comment on column rh.paie_vue.id_paiement is 'Décaissement du net, null tant qu''il n''est pas payé.';

create view rh.element_salaire_vue as
select e.id_element, e.id_paie, e.type, e.libelle, e.montant
  from rh.element_salaire e;
comment on view rh.element_salaire_vue is 'Éléments des bulletins de paie.';

create view rh.paie_detail_vue as
select p as paie,
       array(select e from rh.element_salaire_vue e where e.id_paie = p.id_paie order by e.id_element) as elements
  from rh.paie_vue p;
comment on view rh.paie_detail_vue is 'Bulletin de paie et ses éléments.';

call core.transitions('rh.paie', 'CALCULEE: VALIDEE ANNULEE', 'VALIDEE: PAYEE ANNULEE');

create function rh._jours_du_mois(p_periode core.periode) returns integer
language sql stable
return extract(day from to_date(p_periode, 'YYYY-MM') + interval '1 month' - interval '1 day')::integer;
comment on function rh._jours_du_mois is 'Nombre de jours d''un mois.';

create function rh._jours_dus(p_employe rh.employe, p_periode core.periode) returns integer
language sql stable
return greatest(0, least(p_employe.date_sortie - to_date(p_periode, 'YYYY-MM') + 1, rh._jours_du_mois(p_periode))
                   - greatest(p_employe.date_embauche - to_date(p_periode, 'YYYY-MM'), 0));
comment on function rh._jours_dus is
  'Jours du calendrier où un employé est de la maison pendant un mois, ceux de son embauche et de sa sortie compris.';

-- For a whole month, the salary is not rounded to the unit of the currency.
create function rh._salaire_du(p_employe rh.employe, p_periode core.periode) returns numeric
language sql stable
return case rh._jours_dus(p_employe, p_periode)
         when rh._jours_du_mois(p_periode) then p_employe.salaire_base
         else core.arrondir(p_employe.salaire_base * rh._jours_dus(p_employe, p_periode) / rh._jours_du_mois(p_periode))
       end;
comment on function rh._salaire_du is
  'Salaire de base d''un employé pour un mois, au prorata des jours s''il y entre ou en sort.';

create function rh._t10_paie_reprise() returns trigger
language plpgsql volatile as $$
begin
  new.salaire_repris := coalesce(
    (select rh._salaire_du(e, new.periode) from rh.employe e where e.id_employe = new.id_employe), new.salaire_base);
  return new;
end $$;
comment on function rh._t10_paie_reprise is 'Note le salaire de l''employé pour le mois, au moment du bulletin.';

create trigger t10_paie_reprise before insert on rh.paie
for each row execute function rh._t10_paie_reprise();

create function rh._t20_paie_figee() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'PAIE_FIGEE',
                       format('Cette paie est à l''état %s : seule une paie calculée change.',
                              core.etat_ecrire(old.statut::text)));
  return null;
end $$;
comment on function rh._t20_paie_figee is 'Refuse de changer ou d''effacer un bulletin validé, payé ou annulé, et le paiement d''un bulletin.';

create trigger t20_paie_figee before delete or update of id_employe, periode, salaire_base, salaire_repris,
  total_elements, total_retenues on rh.paie
for each row when (old.statut <> 'CALCULEE') execute function rh._t20_paie_figee();

create trigger t20_paie_figee_payee before update of id_paiement on rh.paie
for each row when (old.id_paiement is not null) execute function rh._t20_paie_figee();

create function rh._t50_paie_sommer() returns trigger
language plpgsql volatile as $$
declare
  v_net numeric;
begin
  select coalesce(sum(e.montant) filter (where e.montant > 0), 0),
         coalesce(-sum(e.montant) filter (where e.montant < 0), 0)
    into new.total_elements, new.total_retenues
    from rh.element_salaire e where e.id_paie = new.id_paie;
  v_net := new.salaire_base + new.total_elements - new.total_retenues;
  if v_net < 0 then
    perform core.refuser(409, 'NET_NEGATIF',
                         format('Les retenues dépassent le salaire : le net serait de %s.', core.montant_ecrire(v_net)),
                         jsonb_build_object('montant_a_payer', v_net::text));
  end if;
  return new;
end $$;
comment on function rh._t50_paie_sommer is
  'total_elements et total_retenues sont les sommes des éléments. Refuse NET_NEGATIF.';

create trigger t50_paie_sommer before insert or update of salaire_base, total_elements, total_retenues on rh.paie
for each row execute function rh._t50_paie_sommer();

create trigger t60_total_maximal before insert or update of salaire_base, total_elements, total_retenues on rh.paie
  for each row when (new.total_elements > 1000000 or new.total_retenues > 1000000)
  execute function core._t60_montant_maximal('total_elements', 'total_retenues');

create function rh._t10_element_signer() returns trigger
language plpgsql volatile as $$
begin
  if new.type in ('AVANCE', 'RETENUE') then
    new.montant := -abs(new.montant);
  end if;
  return new;
end $$;
comment on function rh._t10_element_signer is 'Une avance et une retenue se déduisent, quel que soit le signe donné.';

create trigger t10_element_signer before insert or update of type, montant on rh.element_salaire
for each row execute function rh._t10_element_signer();

create function rh._t50_element_compter() returns trigger
language plpgsql volatile as $$
begin
  -- t50_paie_sommer writes the sum. t20_paie_figee refuses unless the payslip is CALCULEE.
  update rh.paie p set total_elements = default where p.id_paie in (old.id_paie, new.id_paie);
  return null;
end $$;
comment on function rh._t50_element_compter is 'Fait recalculer le bulletin dont un élément change.';

create trigger t50_element_compter after insert or update or delete on rh.element_salaire
for each row execute function rh._t50_element_compter();

call core.detail('rh._paie', 'rh.paie_vue', 'id_paie');
comment on function rh._paie is 'Un bulletin de paie. Refuse NOT_FOUND.';

create function rh._paie_verrouiller(p_id_paie bigint, p_vers rh.statut_paie) returns rh.paie
language plpgsql volatile as $$
declare
  v rh.paie;
begin
  perform rh._paie(p_id_paie);
  -- Of two concurrent callers, the second waits here and then sees the result of the first.
  select * into strict v from rh.paie p where p.id_paie = p_id_paie for no key update;
  if not exists (select from core.transition t
                  where t.entite = 'rh.paie' and t.de = v.statut::text and t.vers = p_vers::text) then
    perform core.refuser(409, 'TRANSITION_INTERDITE', case when v.statut = p_vers
      then format('Cette paie est déjà à l''état %s.', core.etat_ecrire(p_vers::text))
      else format('Le passage de %s à %s n''est pas permis.', core.etat_ecrire(v.statut::text),
                  core.etat_ecrire(p_vers::text)) end,
      jsonb_build_object('de', v.statut, 'vers', p_vers));
  end if;
  return v;
end $$;
comment on function rh._paie_verrouiller is
  'Un bulletin qui peut passer à cet état, verrouillé. Refuse NOT_FOUND, TRANSITION_INTERDITE.';

create function rh._paie_passer(p_id_paie bigint, p_vers rh.statut_paie) returns rh.paie_vue
language plpgsql volatile as $$
begin
  perform rh._paie_verrouiller(p_id_paie, p_vers);
  update rh.paie p set statut = p_vers where p.id_paie = p_id_paie;
  return rh._paie(p_id_paie);
end $$;
comment on function rh._paie_passer is 'Mène un bulletin à un autre état. Refuse NOT_FOUND, TRANSITION_INTERDITE.';

create function rh._t90_paie_payee() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'rh.paie.payee', 'MEDIUM', 'Salaire payé',
    format('%s : %s %s.', new.periode, e.prenom, e.nom),
    jsonb_build_object('id_paie', new.id_paie::text, 'id_employe', new.id_employe::text, 'periode', new.periode),
    'RH.VOIR', c.id_caisse, c.id_activite, null, true)
     from rh.employe e
     left join auth.perimetre_vue c on c.id_utilisateur = e.id_utilisateur
    where e.id_employe = new.id_employe;
  return null;
end $$;
comment on function rh._t90_paie_payee is
  'Un bulletin payé se signale à ceux qui voient le personnel ; limités à une activité ou une caisse, seulement celui de la leur.';

create trigger t90_paie_payee after update of statut on rh.paie
  for each row when (new.statut = 'PAYEE' and old.statut <> 'PAYEE') execute function rh._t90_paie_payee();
