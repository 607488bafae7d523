-- A demand or a notice is claimed here, the provider is asked outside any transaction, and the answer is brought back
-- with the claim. A claim of a process that died ends after a minute: an exchange with a provider takes ten seconds.

create type jobs.prise as (
  action text, prise uuid, id_compte bigint, fournisseur tresorerie.fournisseur, secret text,
  compte text, reference text, identifiant text, montant text, devise text, telephone text, libelle text,
  expire_le timestamptz, qr text);
comment on type jobs.prise is
  'Ce qu''il faut pour parler à un fournisseur, montant et téléphone écrits comme il les lit ; action est null quand il n''y a rien à faire.';

create function jobs._prise(
  p_action text, p_prise uuid, p_id_compte bigint, p_reference text, p_identifiant text, p_demande tresorerie.demande)
returns jobs.prise
language plpgsql volatile as $$
declare
  v jobs.prise;
begin
  -- The API commits before the disk has the transaction (docs/decisions/0049). This write makes the commit of this one
  -- wait for the disk, with all that it has read. Nothing is asked before.
  perform pg_logical_emit_message(true, 'comptoir', '');
  select p_action, p_prise, c.id_compte, c.fournisseur, a.secret, c.identifiant, p_reference, p_identifiant,
         trim_scale((p_demande).montant * tresorerie._unites(a.unite))::text, tresorerie._devise(),
         replace(s.telephone, ' ', ''), (p_demande).libelle, (p_demande).expire_le,
         case c.fournisseur when 'PI_SPI' then tresorerie._qr_pispi(c.identifiant, (p_demande).montant, p_reference) end
    into v
    from tresorerie.compte c
    join tresorerie.acces a on a.id_compte = c.id_compte and a.fournisseur = c.fournisseur
    left join tresorerie.demande_suite s on s.id_demande = (p_demande).id_demande
   where c.id_compte = p_id_compte;
  return v;
end $$;
comment on function jobs._prise is 'Les clés chiffrées d''un compte, et ce qui se demande à son fournisseur ; vide sans clés.';
