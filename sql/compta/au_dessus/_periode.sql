-- Closing a month. Lock: CLOTURE, exclusive.

create view compta.periode_vue as
select p.periode, p.premier_numero, p.dernier_numero, p.nombre, p.total_debit, p.total_credit,
       encode(p.empreinte, 'hex') as empreinte, p.date_cloture, p.id_utilisateur, u.login::text as login
  from compta.periode p
  left join auth.utilisateur u on u.id_utilisateur = p.id_utilisateur;
comment on view compta.periode_vue is 'Mois clôturés.';
comment on column compta.periode_vue.empreinte is 'SHA-256 en hexadécimal, qui contient celui du mois clôturé d''avant : à garder hors de la base.';
comment on column compta.periode_vue.login is 'Login de qui a clôturé.';
call core.peut_etre_null('compta.periode_vue', 'login');
call core.jamais_null('compta.periode_vue', 'empreinte');

-- A hash of each day, then one of the days: a month is never one text of hundreds of megabytes. JSON arrays, so that
-- the text is the same in every session and on every version of PostgreSQL.
create function compta._ligne_texte(p compta.ecriture) returns text
language sql stable
return json_build_array(p.numero, p.journal, p.date, p.piece, p.compte, p.libelle, p.debit, p.credit, p.reference,
                        p.type, p.id_document)::text;
comment on function compta._ligne_texte is 'Ce que l''empreinte d''un mois prend d''une ligne.';

-- The labels of a client may have been erased since. The hash of that day still counts if nothing else has changed:
-- each erasure starts where the one before it ended, and the last one left what is there.
create function compta._empreinte_d_origine(p_date date, p_empreinte bytea) returns bytea
language sql stable
return (
  select case when count(*) = 0 or not bool_and(j.suivie) then p_empreinte
              else (array_agg(j.avant order by j.id_jour_efface))[1] end
    from (select f.id_jour_efface, f.avant,
                 f.apres = coalesce(lead(f.avant) over (order by f.id_jour_efface), p_empreinte) as suivie
            from compta.jour_efface f where f.date = p_date) j);
comment on function compta._empreinte_d_origine is 'Empreinte d''un jour à la clôture, avant les effacements.';

create function compta._empreinte(p_precedente bytea, p_periode core.periode, p_premier bigint, p_dernier bigint)
returns bytea
language sql stable
return sha256(coalesce(p_precedente, '') || convert_to(p_periode, 'UTF8') || coalesce((
  select string_agg(compta._empreinte_d_origine(j.date, j.empreinte), '' order by j.date)
    from (select e.date,
                 sha256(convert_to(string_agg(compta._ligne_texte(e), '' order by e.numero), 'UTF8')) as empreinte
            from compta.ecriture e
           where e.numero between p_premier and p_dernier
           group by e.date) j), ''));
comment on function compta._empreinte is 'Empreinte d''un mois, qui contient celle du mois clôturé d''avant.';

create function compta._cloture_verifier(p_periode core.periode) returns void
language plpgsql stable as $$
declare
  v_premier date := to_date(p_periode, 'YYYY-MM');
  v_dernier date := (v_premier + interval '1 month')::date - 1;
  v_ouverte date;
  v_caisse text;
begin
  if v_premier >= compta._mois_en_cours() then
    perform core.refuser(409, 'PERIODE_EN_COURS', 'Seul un mois fini se clôture.');
  elsif v_premier <= compta._dernier_jour_clos() then
    perform core.refuser(409, 'PERIODE_CLOTUREE', 'Ce mois est déjà clôturé.',
                         jsonb_build_object('periode', p_periode));
  end if;
  v_ouverte := (select min(r.date) from compta._repere_vue r
                 where r.date > compta._dernier_jour_clos() and r.date < v_premier);
  if v_ouverte is not null then
    perform core.refuser(409, 'PERIODE_PRECEDENTE_OUVERTE',
      format('Clôturez d''abord le mois %s, qui a des écritures.', to_char(v_ouverte, 'MM/YYYY')),
      jsonb_build_object('periode', to_char(v_ouverte, 'YYYY-MM')));
  end if;
  v_caisse := (select string_agg(format('« %s »', k.libelle), ', ' order by k.libelle)
                 from finances.periode_caisse p join finances.caisse k on k.id_caisse = p.id_caisse
                where p.fermeture is null and core.jour(p.ouverture) <= v_dernier);
  if v_caisse is not null then
    perform core.refuser(409, 'CAISSE_OUVERTE',
      format('Fermez d''abord chaque caisse restée ouverte depuis ce mois : %s.', v_caisse));
  end if;
  perform compta._comptes_exiger(v_premier, v_dernier);
end $$;
comment on function compta._cloture_verifier is 'Refuse un mois qui ne peut pas se clôturer.';
