create type compta.periode_verifiee as (
  periode core.periode, premier_numero bigint, dernier_numero bigint, nombre bigint, total_debit core.somme,
  total_credit core.somme, empreinte text, date_cloture timestamptz, id_utilisateur bigint, login text,
  intacte boolean);
comment on type compta.periode_verifiee is 'Mois clôturé, et ce que valent ses lignes maintenant.';
comment on column compta.periode_verifiee.intacte is 'Vrai si les lignes, leurs numéros et la chaîne des mois donnent encore cette empreinte.';
call core.peut_etre_null('compta.periode_verifiee', 'premier_numero', 'dernier_numero', 'id_utilisateur', 'login');

create function compta._periode_intacte(p_periode core.periode) returns boolean
language sql stable
return (
  select p.empreinte = compta._empreinte(
           (select a.empreinte from compta.periode a where a.periode < p.periode order by a.periode desc limit 1),
           p.periode, p.premier_numero, p.dernier_numero)
     and (p.nombre, p.total_debit, p.total_credit) = (
           select count(*), coalesce(sum(e.debit), 0), coalesce(sum(e.credit), 0)
             from compta.ecriture e
            where e.date between to_date(p.periode, 'YYYY-MM') and p.dernier_jour and e.type::text <> 'RESULTAT')
    from compta.periode p where p.periode = p_periode);
comment on function compta._periode_intacte is 'Vrai si un mois clôturé est tel qu''à sa clôture.';

create function compta.periode_detail(p_periode core.periode) returns compta.periode_verifiee
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select row(p.*, compta._periode_intacte(p_periode))::compta.periode_verifiee
                       from compta.periode_vue p where p.periode = p_periode));
comment on function compta.periode_detail is
  'Un mois clôturé ; relit ses lignes et dit si elles ont encore leur empreinte.';
