-- Seals: one chain over what must never change once it is written, so that a change, a loss or an addition is found.
-- depends: 0019.rapports-schema

create type audit.registre as enum ('journal', 'facture', 'paiement', 'application_paiement');
comment on type audit.registre is 'Ce qui se scelle.';

create type audit.nature_constat as enum
  ('CHANGEE', 'MANQUANTE', 'AJOUTEE', 'SCEAU_ROMPU', 'SCEAU_MANQUANT', 'SCEAU_ATTENDU_ABSENT');
comment on type audit.nature_constat is 'Ce qu''une vérification trouve.';

create table audit.sceau (
  rang bigint constraint sceau_pkey primary key,
  date timestamptz not null,
  registre audit.registre not null,
  du_id bigint not null,
  au_id bigint not null,
  ids bigint[] not null,
  empreintes bytea[] not null,
  empreinte bytea not null,
  constraint sceau_intervalle check (du_id <= au_id),
  constraint sceau_unique unique (registre, au_id)
);
comment on table audit.sceau is 'Chaîne de sceaux. Chacun fige les entrées d''un intervalle d''identifiants, celles qui y manquent comprises, et porte l''empreinte du sceau d''avant.';
comment on column audit.sceau.rang is 'Place dans la chaîne, à partir de 1, sans trou.';
comment on column audit.sceau.du_id is 'Premier identifiant de l''intervalle ; il suit le dernier du sceau d''avant du même registre.';
comment on column audit.sceau.ids is 'Entrées qui existaient, par identifiant ; les autres de l''intervalle n''ont jamais existé.';
comment on column audit.sceau.empreintes is 'SHA-256 de chaque entrée, dans le même ordre.';
comment on column audit.sceau.empreinte is 'SHA-256 de l''empreinte du sceau d''avant et de tout le reste de celui-ci.';
comment on constraint sceau_intervalle on audit.sceau is 'Un sceau finit après avoir commencé.';
comment on constraint sceau_unique on audit.sceau is 'Ces entrées sont déjà scellées.';
