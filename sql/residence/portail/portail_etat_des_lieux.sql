create type residence.portail_photo as (
  id_photo bigint, id_contrat bigint, type residence.type_etat_des_lieux, piece text, cle_objet core.cle_objet,
  commentaire text, date_ajout timestamptz, numero_contrat text);
comment on type residence.portail_photo is 'Photo d''un état des lieux du résident.';
call core.peut_etre_null('residence.portail_photo', 'piece', 'commentaire');
create type residence.portail_photos as (photos residence.portail_photo[]);
comment on type residence.portail_photos is 'Photos des états des lieux du résident.';

create function residence._portail_photos(p_id_client bigint) returns setof residence.portail_photo
language sql stable
begin atomic
  select e.id_photo, e.id_contrat, e.type, e.piece, e.cle_objet, e.commentaire, e.date_ajout, c.numero_contrat
    from residence.contrat_location c
    join residence.etat_des_lieux e on e.id_contrat = c.id_contrat
   where c.id_client = p_id_client;
end;
comment on function residence._portail_photos is 'Photos de tous les contrats d''un client.';

create function residence.portail_etat_des_lieux() returns residence.portail_photos
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_liste();
begin
  return row(array(select p from residence._portail_photos(v_id_client) p
                    order by p.id_contrat, p.type, p.id_photo))::residence.portail_photos;
end $$;
comment on function residence.portail_etat_des_lieux is
  'Photos des états des lieux du résident connecté, de tous ses contrats : celles d''entrée, puis celles de sortie.';

call client.detail_du_portail('residence.portail_photo_detail', 'residence._portail_photos', 'id_photo');
comment on function residence.portail_photo_detail is 'Une photo d''état des lieux du résident connecté.';
