-- The secrets of second factors and webhooks are encrypted. The key is outside the database, so `comptoir migrate`
-- encrypts the present ones after the migrations (app/auth/encrypted.py). First answers that show a key are emptied.
-- depends: 0082.jobs-commentaire
update core.idempotence set reponse = '{}' where position('whsec_'::bytea in reponse) > 0;
comment on column auth.second_facteur.secret is 'Secret partagé avec l''application du téléphone, chiffré par une clé que la base n''a pas.';
comment on column evenement.webhook_secret.secret is 'Clé whsec_…, montrée une fois ; chiffrée par une clé que la base n''a pas.';
