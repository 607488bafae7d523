-- An incident of the staff names a module or an activity. Both give an activity, so the row keeps which one was named.
-- depends: 0079.abonnement-code

alter table signalement.signalement add column par_module boolean not null default false;
comment on column signalement.signalement.par_module is
  'Vrai si le personnel nomme un domaine, dont id_activite est l''activité ; un client ne nomme jamais qu''un domaine.';
