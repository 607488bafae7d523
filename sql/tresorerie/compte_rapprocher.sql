-- Locks: see _ligne.sql.

create type tresorerie.compte_rapproche as (id_compte bigint, rapprochees integer, a_rapprocher integer);
comment on type tresorerie.compte_rapproche is 'Ce qu''un rapprochement a fait.';
comment on column tresorerie.compte_rapproche.rapprochees is 'Lignes qu''il a rapprochées.';
comment on column tresorerie.compte_rapproche.a_rapprocher is 'Lignes qui ne le sont pas.';

create function tresorerie.compte_rapprocher(p_id_compte bigint) returns tresorerie.compte_rapproche
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.compte_rapproche;
begin
  v.id_compte := (tresorerie._rapprochement_tenir(p_id_compte)).id_compte;
  v.rapprochees := tresorerie._lignes_seules(p_id_compte);
  perform tresorerie._rapprocher(p_id_compte);
  v.a_rapprocher := tresorerie._lignes_seules(p_id_compte);
  v.rapprochees := v.rapprochees - v.a_rapprocher;
  return v;
end $$;
comment on function tresorerie.compte_rapprocher is
  'Rapproche les lignes d''un compte de ce qui a été saisi depuis, comme le fait l''envoi d''un relevé.';
