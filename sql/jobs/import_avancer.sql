-- One lot of an import, in one transaction with its resume point. The row of the import is locked: two processes that
-- believe they run the same import take turns, and find its rows done.
create function jobs.import_avancer(p_id_import bigint, p_en_file boolean default false) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import;
  v_avant integer;
begin
  select * into v from echange.import i where i.id_import = p_id_import for no key update;
  if not found or v.etat not in ('EN_ESSAI', 'EN_COURS') then
    return false;
  end if;
  v_avant := v.fait * 4 / greatest(v.total, 1);
  if not echange._agir(v) then
    update echange.import i
       set (etat, message, date_fin) = row('ECHEC'::echange.etat_import,
                                           'Le compte ou la clé qui l''a envoyé n''en a plus le droit.', now())
     where i.id_import = p_id_import;
  elsif v.etat = 'EN_ESSAI' then
    perform echange._essayer(v);
  else
    begin
      perform echange._importer(v);
    exception when sqlstate 'HT409' then
      update echange.import i
         set (etat, message, date_fin) = row('ECHEC'::echange.etat_import,
                                             'Des lignes sont refusées : rien n''est importé.', now())
       where i.id_import = p_id_import;
    end;
  end if;
  select * into strict v from echange.import i where i.id_import = p_id_import;
  if v.etat not in ('EN_ESSAI', 'EN_COURS') or v.fait * 4 / greatest(v.total, 1) > v_avant then
    perform echange._annoncer(p_id_import);
  end if;
  if v.etat not in ('EN_ESSAI', 'EN_COURS') then
    return false;
  end if;
  if p_en_file then
    perform echange._differer(p_id_import);
  end if;
  return true;
end $$;
comment on function jobs.import_avancer is
  'Passe un lot d''un import, essai ou vrai, au nom de qui l''a envoyé ; vrai s''il en reste, et alors p_en_file met la suite en file. Interrompu, il reprend à la première ligne qui n''est pas passée.';
