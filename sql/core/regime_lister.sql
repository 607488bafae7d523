call core.liste_entiere('core.regime_lister', 'core.regime_vue', 'v.du desc');
comment on function core.regime_lister is 'Régimes de l''organisation, le dernier d''abord ; ASSUJETTI avant le premier.';
