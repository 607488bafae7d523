-- JSON objects. The name of the domain tells it to the document of the API.

create domain core.objet as jsonb;
comment on domain core.objet is 'Objet JSON de forme libre.';

create domain core.nombres_par_cle as jsonb;
comment on domain core.nombres_par_cle is 'Objet JSON : un nombre entier par clé.';

create domain core.montants_par_cle as jsonb;
comment on domain core.montants_par_cle is 'Objet JSON : un montant, en texte, par clé.';

create domain core.chiffres_par_cle as jsonb;
comment on domain core.chiffres_par_cle is 'Objet JSON : par clé un montant en texte, un nombre entier, ou des nombres par clé.';

create domain core.donnees as jsonb;
comment on domain core.donnees is 'Objet JSON : un texte, un nombre, un booléen ou null par clé.';
