-- Demands for money. The worker, or the request without a queue, claims one (jobs.demande_prendre), speaks to the
-- provider outside any transaction, and brings the answer back (jobs.demande_finir).

call core.transitions('tresorerie.demande', 'CREEE: ENVOYEE INCERTAINE PAYEE REFUSEE EXPIREE ANNULEE',
  'ENVOYEE: INCERTAINE PAYEE REFUSEE EXPIREE ANNULEE',
  'INCERTAINE: CREEE ENVOYEE PAYEE REFUSEE EXPIREE ANNULEE');

create view tresorerie.demande_vue as
select d.id_demande, d.reference::text as reference, d.id_compte, d.montant, d.statut, d.id_facture,
       case d.source_type when 'LOCATION' then d.source_id end as id_echeance,
       case d.source_type when 'CHARGE' then d.source_id end as id_charge,
       d.id_activite, d.libelle::text as libelle, s.telephone, d.expire_le, d.url, d.qr, d.motif, d.date,
       d.id_utilisateur
  from tresorerie.demande d
  join tresorerie.demande_suite s on s.id_demande = d.id_demande
 where core._visible(d.id_activite, (select core.activite()));
comment on view tresorerie.demande_vue is 'Demandes d''argent : celles de son activité pour un utilisateur qui en a une.';
comment on column tresorerie.demande_vue.id_echeance is 'Échéance à payer, null d''autre chose.';
comment on column tresorerie.demande_vue.id_charge is 'Charge à payer, null d''autre chose.';
call core.jamais_null('tresorerie.demande_vue', 'reference', 'libelle');
call core.peut_etre_null('tresorerie.demande_vue', 'id_echeance', 'id_charge', 'telephone');

create function tresorerie._en_cours(p_statut tresorerie.statut_demande) returns boolean
language sql immutable parallel safe
return p_statut in ('CREEE', 'ENVOYEE', 'INCERTAINE');
comment on function tresorerie._en_cours is 'Vrai d''une demande qui n''est pas finie.';

call core.figer('DEMANDE_FIGEE', 'Une demande faite ne change ni de montant, ni de compte, ni d''objet : annulez-la.',
  'before update on tresorerie.demande when ((new.reference, new.id_compte, new.montant, new.id_facture,
    new.source_type, new.source_id) is distinct from (old.reference, old.id_compte, old.montant, old.id_facture,
    old.source_type, old.source_id))');

create function tresorerie._t50_demande_finie() returns trigger
language plpgsql volatile as $$
begin
  update tresorerie.demande_suite s set (telephone, essai_le) = row(null, null) where s.id_demande = new.id_demande;
  return null;
end $$;
comment on function tresorerie._t50_demande_finie is 'D''une demande finie, le numéro de téléphone s''efface et rien n''est plus prévu.';

create trigger t50_demande_finie after update of statut on tresorerie.demande
  for each row when (not tresorerie._en_cours(new.statut)) execute function tresorerie._t50_demande_finie();

create function tresorerie._pause(p_essais integer) returns interval
language sql immutable parallel safe
return coalesce(('{10 s, 1 min, 5 min, 15 min, 1 h, 3 h}'::interval[])[p_essais], '6 hours');
comment on function tresorerie._pause is 'Temps avant de reparler au fournisseur.';

-- A code that an app of a bank of the union reads: EMV tags, then their CRC-16/CCITT.
create function tresorerie._crc16(p_texte text) returns text
language plpgsql immutable parallel safe as $$
declare
  v_crc integer := 65535;
  v_octets constant bytea := convert_to(p_texte, 'UTF8');
begin
  for i in 0..length(v_octets) - 1 loop
    v_crc := v_crc # (get_byte(v_octets, i) << 8);
    for j in 1..8 loop
      v_crc := case when v_crc & 32768 <> 0 then (v_crc << 1) # 4129 else v_crc << 1 end & 65535;
    end loop;
  end loop;
  return upper(lpad(to_hex(v_crc), 4, '0'));
end $$;
comment on function tresorerie._crc16 is 'CRC-16/CCITT d''un texte, en quatre chiffres hexadécimaux.';

create function tresorerie._emv(variadic p_paires text[]) returns text
language sql immutable parallel safe
return (select string_agg(p_paires[i] || lpad(length(p_paires[i + 1])::text, 2, '0') || p_paires[i + 1], '' order by i)
          from generate_series(1, cardinality(p_paires), 2) i where p_paires[i + 1] is not null);
comment on function tresorerie._emv is 'Étiquettes et valeurs, chacune avec sa longueur, comme EMV les écrit.';

create function tresorerie._qr_pispi(p_alias text, p_montant numeric, p_reference text) returns text
language plpgsql stable as $$
declare
  v constant text := tresorerie._emv(
    '00', '01', '36', tresorerie._emv('00', 'int.bceao.pi', '01', p_alias), '52', '0000', '53', '952',
    '54', to_char(p_montant, 'FM999999999990.00'), '58', coalesce(core.parametre('PAYS'), 'CI'), '59', 'X', '60', 'X',
    '62', tresorerie._emv('05', left(p_reference, 25), '11', '400')) || '6304';
begin
  return case when p_alias ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and p_montant > 0
              then v || tresorerie._crc16(v) end;
end $$;
comment on function tresorerie._qr_pispi is
  'Contenu du code PI-SPI qui paie ce montant sous cette référence, null si l''identifiant du compte n''est pas un alias PI-SPI.';

create function tresorerie._compte_qui_recoit(p_id_moyen bigint, p_id_activite bigint, p_jour date) returns bigint
language sql stable
return (select c.id_compte from tresorerie.compte c
         where c.id_moyen = p_id_moyen and tresorerie._recoit(c, p_id_activite, p_jour)
           and not exists (select from tresorerie.compte o
                            where o.id_moyen = p_id_moyen and tresorerie._recoit(o, p_id_activite, p_jour)
                              and tresorerie._passe_avant(o, c)));
comment on function tresorerie._compte_qui_recoit is 'Compte où arrive l''argent de ce moyen et de cette activité, ce jour.';

create function tresorerie._qr_facture(p_facture facturation.facture) returns text
language sql stable
return (select tresorerie._qr_pispi(c.identifiant, p_facture.reste, p_facture.numero)
          from tresorerie.compte c
         where c.fournisseur = 'PI_SPI' and c.actif and p_facture.reste > 0 and not p_facture.annulee
           and c.id_compte = tresorerie._compte_qui_recoit(c.id_moyen, p_facture.id_activite, core.aujourdhui())
         order by c.id_compte limit 1);
comment on function tresorerie._qr_facture is 'Code PI-SPI de ce qui reste à payer d''une facture, null sans compte PI-SPI.';

create function tresorerie._devise() returns text
language sql stable
return (select case when p.valeur ~* '^f? ?cfa$' then 'XOF' else upper(p.valeur) end
          from (select coalesce(core.parametre('DEVISE_ISO'), core.parametre('DEVISE_DEFAUT')) as valeur) p);
comment on function tresorerie._devise is
  'Code ISO de la devise, tel que les fournisseurs l''écrivent : DEVISE_ISO s''il existe, sinon DEVISE_DEFAUT, où FCFA est XOF.';
