create type audit.cle as (id text, publique text, du text, au text, signature text);
comment on type audit.cle is 'Clé Ed25519 qui signe ou a signé les racines.';
comment on column audit.cle.id is 'Son nom dans les racines qu''elle signe, huit chiffres hexadécimaux.';
comment on column audit.cle.publique is 'Clé publique, 32 octets en base64.';
comment on column audit.cle.du is 'Instant de sa mise en service.';
comment on column audit.cle.au is 'Instant de son remplacement, null de celle qui signe.';
comment on column audit.cle.signature is 'Signature de cette clé par celle d''avant, en base64, null de la première.';
call core.peut_etre_null('audit.cle', 'au', 'signature');

create type audit.cles as (format text, origine text, organisation text, cles audit.cle[]);
comment on type audit.cles is 'Ce qu''il faut pour vérifier les racines d''ici.';
comment on column audit.cles.format is '« comptoir-cles/1 ».';
comment on column audit.cles.origine is 'Nom de l''arbre, null avant le premier scellement.';
comment on column audit.cles.cles is 'De la plus ancienne à celle en service.';
call core.peut_etre_null('audit.cles', 'origine', 'organisation');

create function audit.cle_lister() returns audit.cles
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select 'comptoir-cles/1', audit._origine(), core.parametre('NOM_ORGANISATION'), array(
    select row(encode(audit._cle_nom(c.publique), 'hex'), audit._base64(c.publique), audit._instant_ecrire(c.du),
               audit._instant_ecrire(c.au), audit._base64(c.signature))::audit.cle
      from audit.cle_sceau c order by c.id_cle);
end;
comment on function audit.cle_lister is 'Clés publiques qui signent et ont signé les racines.';
