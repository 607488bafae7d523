-- The signed roots of the tree, the keys that sign them, and the texts that leave the database. PostgreSQL has no
-- Ed25519: app/seals/signing.py signs these texts, as the owner of the tables. The code cannot read a private key.

create trigger t20_cle_sceau_figee before delete or truncate on audit.cle_sceau
  for each statement execute function audit._t20_registre_fige();

-- A key is replaced once, and nothing else of it changes.
create trigger t20_cle_sceau_remplacer before update on audit.cle_sceau
  for each row when (
    (new.publique, new.du, new.signature) is distinct from (old.publique, old.du, old.signature) or old.au is not null)
  execute function audit._t20_registre_fige();

create function audit._origine() returns text
language sql stable
return (select 'comptoir/' || a.origine from audit.arbre a);
comment on function audit._origine is 'Nom de l''arbre de cette base, que porte chaque racine. Null avant le premier scellement.';

create function audit._instant_ecrire(p_instant timestamptz) returns text
language sql stable parallel safe
return to_char(p_instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
comment on function audit._instant_ecrire is 'Instant à la seconde, en UTC, par exemple 2026-11-23T00:00:03Z.';

create function audit._base64(p_octets bytea) returns text
language sql immutable parallel safe
return replace(encode(p_octets, 'base64'), E'\n', '');
comment on function audit._base64 is 'Octets en base64, sur une ligne.';

-- The name of a key in a signed note: https://c2sp.org/signed-note
create function audit._cle_nom(p_publique bytea) returns bytea
language sql stable
return substring(sha256(convert_to(audit._origine() || E'\n', 'UTF8') || '\x01' || p_publique) for 4);
comment on function audit._cle_nom is 'Quatre octets qui nomment une clé auprès des racines qu''elle signe.';

-- https://c2sp.org/tlog-checkpoint
create function audit._racine_texte(p_taille bigint, p_racine bytea, p_date timestamptz) returns text
language sql stable
return format(E'%s\n%s\n%s\ndate %s\n', audit._origine(), p_taille, audit._base64(p_racine),
              audit._instant_ecrire(p_date));
comment on function audit._racine_texte is 'Ce qui se signe d''une racine : arbre, taille, racine, instant.';

create view audit.tete_vue as
select t.taille, t.rang, t.racine, t.date,
       audit._racine_texte(t.taille, t.racine, t.date)
         || format(E'\n— %s %s\n', audit._origine(), audit._base64(audit._cle_nom(c.publique) || t.signature)) as texte
  from audit.tete t
  join audit.cle_sceau c on c.id_cle = t.id_cle;
comment on view audit.tete_vue is 'Racines signées.';
comment on column audit.tete_vue.texte is 'La racine et sa signature, telles qu''elles se gardent hors de la base.';

create function audit._cle_texte(p_publique bytea, p_du timestamptz) returns text
language sql stable
return format(E'comptoir-cle/1\n%s\n%s\n%s\n', audit._origine(), audit._base64(p_publique),
              audit._instant_ecrire(p_du));
comment on function audit._cle_texte is 'Ce que la clé en service signe de celle qui la remplace.';

-- Instants are signed to the second. Two keys may be made in one second, and a clock may be set back: a key still
-- begins after the one before it, and not before a root that this one has signed.
create function audit._cle_debut() returns timestamptz
language sql volatile
return greatest(date_trunc('second', clock_timestamp()),
                (select max(c.du) from audit.cle_sceau c) + interval '1 second',
                (select max(t.date) from audit.tete t));
comment on function audit._cle_debut is 'Instant où commence la clé suivante : une seconde au moins après celle d''avant.';

create function audit._tete_a_signer()
returns table (taille bigint, rang bigint, racine bytea, date timestamptz, texte text)
language sql volatile
begin atomic
  select s.taille, s.rang, s.racine, d.date, audit._racine_texte(s.taille, s.racine, d.date)
    from (select x.* from audit.sceau x order by x.rang desc limit 1) s
   cross join greatest(date_trunc('second', clock_timestamp()), (select max(c.du) from audit.cle_sceau c)) d (date)
   where s.taille > coalesce((select max(t.taille) from audit.tete t), 0);
end;
comment on function audit._tete_a_signer is 'La dernière racine, si elle n''est pas signée ; sa date est dans le service de la clé.';
