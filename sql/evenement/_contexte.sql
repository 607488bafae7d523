-- The body of an event is the row of a view, as a reader without limits sees it. The views hide what the author may not
-- see, and the feed decides who may read an event. So the settings of the author are set aside while a view is read.

create function evenement._contexte(p_valeurs text[] default '{}') returns text[]
language plpgsql volatile as $$
declare
  v_avant constant text[] := array[
    current_setting('comptoir.utilisateur', true), current_setting('comptoir.client', true),
    current_setting('comptoir.caisse', true), current_setting('comptoir.activite', true)];
begin
  perform set_config('comptoir.utilisateur', p_valeurs[1], true), set_config('comptoir.client', p_valeurs[2], true),
          set_config('comptoir.caisse', p_valeurs[3], true), set_config('comptoir.activite', p_valeurs[4], true);
  return v_avant;
end $$;
comment on function evenement._contexte is 'Pose l''utilisateur et ses limites, et rend ce qu''ils étaient.';
