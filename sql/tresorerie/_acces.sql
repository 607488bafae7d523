-- Keys of the providers. The process encrypts and decrypts them (app/auth/encrypted.py).

create type tresorerie.acces_garde as (fournisseur tresorerie.fournisseur, secret text);
comment on type tresorerie.acces_garde is 'Ce qu''un compte a déjà de clés, chiffrées ; « secret » est null sans clés de ce fournisseur.';
call core.peut_etre_null('tresorerie.acces_garde', 'secret');

create type tresorerie.acces_pose as (
  id_compte bigint, fournisseur tresorerie.fournisseur, unite tresorerie.unite_montant, url_avis text);
comment on type tresorerie.acces_pose is 'Clés posées : les clés elles-mêmes ne se relisent pas.';
comment on column tresorerie.acces_pose.url_avis is 'Adresse à donner au fournisseur pour ses avis.';

create function tresorerie._fournisseur_exiger(p_id_compte bigint) returns tresorerie.compte
language plpgsql volatile as $$
declare
  v tresorerie.compte;
begin
  perform tresorerie._compte(p_id_compte);
  select * into strict v from tresorerie.compte c where c.id_compte = p_id_compte for share;
  if v.fournisseur = 'AUCUN' then
    perform core.refuser(409, 'COMPTE_SANS_FOURNISSEUR',
                         'Ce compte n''a pas de fournisseur : ses paiements se saisissent ou s''importent.');
  end if;
  return v;
end $$;
comment on function tresorerie._fournisseur_exiger is 'Un compte que l''utilisateur voit, et qui a un fournisseur.';

create function tresorerie._acces(p_compte tresorerie.compte) returns tresorerie.acces
language sql stable
return (select a from tresorerie.acces a
         where a.id_compte = (p_compte).id_compte and a.fournisseur = (p_compte).fournisseur);
comment on function tresorerie._acces is 'Clés d''un compte chez son fournisseur, null s''il n''en a pas de lui.';
