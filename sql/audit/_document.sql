-- A document as its token lets anyone check it: its paper, its state now, its leaf, and whether the books still agree.

create type audit.etat_document as enum ('VALABLE', 'CREDITE', 'REMBOURSE', 'ANNULE', 'ALTERE');
comment on type audit.etat_document is 'Ce que vaut un document aujourd''hui ; CREDITE : des avoirs en retirent une part, REMBOURSE : une part en a été rendue, ALTERE : les livres ne disent plus ce qu''ils en ont scellé.';

create type audit.document_lu as (
  type core.piece, numero text, jour date, montant core.montant, etat audit.etat_document, montant_retire core.montant,
  registre audit.registre, id bigint);
comment on type audit.document_lu is 'Ce qu''un papier montre, et ce qu''il en est. Un reçu d''échéance ou de commande se prouve par sa facture.';
comment on column audit.document_lu.montant_retire is 'Ce que des avoirs ou des remboursements en retirent ; le montant reste celui du papier.';

create function audit._facture_de(p_source_type facturation.source_type, p_source_id bigint) returns bigint
language sql stable
return (select f.id_facture from facturation.facture f
         where f.source_type = p_source_type and f.source_id = p_source_id
         order by f.annulee, f.id_facture desc limit 1);
comment on function audit._facture_de is 'Facture d''une source, celle qui tient s''il y en a plusieurs.';

create function audit._etat(p_annule boolean, p_montant numeric, p_retire numeric, p_nature audit.etat_document)
returns audit.etat_document
language sql immutable
return case when p_annule or p_retire > 0 and p_retire >= p_montant then 'ANNULE'
            when p_retire > 0 then p_nature else 'VALABLE' end;
comment on function audit._etat is 'État d''un document annulé, amputé ou entier ; annulé aussi si tout en est retiré.';

-- The receipt of a rent is printed when nothing is left to pay, and payments and credit notes may follow it. Its amount
-- is the largest that was owed, and that the invoices of the instalment have received.
create function audit._loyer_acquitte(p_echeance residence.echeance, p_id_facture bigint)
returns table (montant numeric, jour date, nature audit.etat_document)
language sql stable
begin atomic
  with recus as (
    select a.id_paiement, a.id_application, p.jour,
           sum(a.montant) over (order by a.id_paiement, a.id_application) as recu
      from facturation.facture f
      join finances.imputation_vue a on a.id_facture = f.id_facture
      join finances.paiement p on p.id_paiement = a.id_paiement
     where f.source_type = 'LOCATION' and f.source_id = (p_echeance).id_echeance
  ), avoirs as (
    select sum(a.montant_total) over (order by a.id_avoir) as montant
      from facturation.avoir a where a.id_facture = p_id_facture
  ), dus as (
    select (p_echeance).montant as montant
    union all
    select f.montant_total + f.remise - x.montant
      from facturation.facture f cross join (select 0 as montant union all select montant from avoirs) x
     where f.id_facture = p_id_facture
    union all -- an older release closed a lease with a discount, and what was paid beyond the rent was on the receipt
    select max(r.recu) from recus r
    having max(r.recu) >= (p_echeance).montant_du
       and exists (select from facturation.facture f where f.id_facture = p_id_facture and f.remise > 0)
  ), acquitte as (
    select max(d.montant) as montant from dus d where d.montant <= (select max(r.recu) from recus r)
  )
  select q.montant, coalesce(
           (select p.jour from finances.paiement p
             where p.id_paiement = (p_echeance).id_paiement and (p_echeance).montant_paye = q.montant),
           (select r.jour from recus r where r.recu = q.montant
             order by r.id_paiement desc, r.id_application desc limit 1)),
         case when f.montant_total + f.remise - f.montant_avoirs < q.montant then 'CREDITE'
              else 'REMBOURSE' end::audit.etat_document
    from acquitte q
    left join facturation.facture f on f.id_facture = p_id_facture;
end;
comment on function audit._loyer_acquitte is
  'Ce que dit le reçu d''une échéance, imprimé quand il n''en restait rien à payer ; montant null si elle n''a jamais été payée en entier.';

create function audit._document(p_jeton text) returns audit.document_lu
language plpgsql stable as $$
declare
  v_piece constant core.piece_lue := core._jeton_lire(p_jeton);
  v audit.document_lu;
begin
  case v_piece.piece
  when 'facture' then
    select 'facture'::core.piece, f.numero, f.jour, f.montant_total,
           audit._etat(f.annulee, f.montant_total, f.montant_avoirs, 'CREDITE'), f.montant_avoirs,
           'facture'::audit.registre, f.id_facture
      into v from facturation.facture f where f.id_facture = v_piece.id;
  when 'avoir' then
    select 'avoir'::core.piece, a.numero, a.jour, a.montant_total, 'VALABLE'::audit.etat_document, 0::core.montant,
           'avoir'::audit.registre, a.id_avoir
      into v from facturation.avoir a where a.id_avoir = v_piece.id;
  when 'paiement' then
    select 'paiement'::core.piece, finances._paiement_numero(p.id_paiement), p.jour, p.montant,
           audit._etat(r.annule, p.montant, r.montant, 'REMBOURSE'), r.montant::core.montant,
           'paiement'::audit.registre, p.id_paiement
      into v
      from finances.paiement p
     cross join lateral (
       select coalesce(bool_or(c.annulation), false) as annule,
              coalesce(sum(finances._sortie(c)) filter (where not c.annulation), 0) as montant
         from finances.paiement c where c.id_paiement_origine = p.id_paiement) r
     where p.id_paiement = v_piece.id;
  when 'echeance' then
    select 'echeance'::core.piece, residence._reference_loyer(c.numero_contrat, e.mois, e.annee),
           coalesce(l.jour, p.jour), coalesce(l.montant, e.montant_paye),
           audit._etat(e.annulee or e.montant_paye = 0 or l.montant is null, l.montant, l.montant - e.montant_paye,
                       l.nature),
           coalesce(l.montant - e.montant_paye, 0), 'facture'::audit.registre, f.id
      into v
      from residence.echeance e
      join residence.contrat_location c on c.id_contrat = e.id_contrat
      left join finances.paiement p on p.id_paiement = e.id_paiement
     cross join lateral audit._facture_de('LOCATION', e.id_echeance) f (id)
     cross join lateral audit._loyer_acquitte(e, f.id) l
     where e.id_echeance = v_piece.id;
  when 'commande' then
    select 'commande'::core.piece, c.numero_commande, core.jour(c.date_depot), c.montant_total,
           audit._etat(c.statut = 'ANNULEE' or c.statut = 'RETIRE' and f.annulee, c.montant_total, r.montant,
                       'CREDITE'),
           r.montant, 'facture'::audit.registre, f.id_facture
      into v
      from pressing.commande c
      left join facturation.facture f on f.id_facture = audit._facture_de('COMMANDE_PRESSING', c.id_commande)
     cross join lateral (
       select (case when f.annulee then 0 else coalesce(f.montant_avoirs, 0) end)::core.montant) r (montant)
     where c.id_commande = v_piece.id;
  else
  end case;
  if v.numero is null then
    if exists (select from unnest(enum_range(null::audit.registre)) r (registre)
                where r.registre::text = v_piece.piece::text
                  and audit._feuille(r.registre, v_piece.id) is not null) then
      perform core.refuser(409, 'DOCUMENT_RETIRE',
                           'Ce document a été établi et scellé ici, et n''est plus dans les livres.');
    end if;
    perform core.refuser(404, 'DOCUMENT_INCONNU', 'Ce code n''est celui d''aucun document établi ici.');
  end if;
  return v;
end $$;
comment on function audit._document is 'Document que désigne un jeton, s''il est encore dans les livres.';

create type audit.feuille as (rang bigint, place bigint, position integer);
comment on type audit.feuille is 'Place d''une entrée dans l''arbre.';
comment on column audit.feuille.rang is 'Sceau qui la couvre.';
comment on column audit.feuille.position is 'Place parmi les entrées du sceau, à partir de 1.';

create function audit._feuille(p_registre audit.registre, p_id bigint) returns audit.feuille
language sql stable
return (
  select row(s.rang, f.premiere + x.position - 1, x.position)::audit.feuille
    from (select x.* from audit.sceau x where x.registre = p_registre and x.au_id >= p_id order by x.au_id limit 1) s
    join audit.feuillage f on f.rang = s.rang
   cross join array_position(s.ids, p_id) x (position)
   where x.position is not null);
comment on function audit._feuille is 'Feuille d''une entrée, null si rien ne l''a scellée.';

create function audit._derniere_tete() returns audit.tete_vue
language sql stable
return (select t from audit.tete_vue t order by t.taille desc limit 1);
comment on function audit._derniere_tete is 'Racine signée la plus récente, null s''il n''y en a aucune.';

create function audit._tient(p_document audit.document_lu, p_feuille audit.feuille, p_tete audit.tete_vue)
returns boolean
language sql stable
return coalesce((
  select audit._remonter(audit._engager(f.sels[p_feuille.position], e.empreinte, e.enonce), p_feuille.place,
                         p_tete.taille, audit._chemin(p_feuille.place, p_tete.taille)) = p_tete.racine
    from audit.feuillage f
   cross join audit.empreinte_vue e
   where f.rang = p_feuille.rang and e.registre = p_document.registre and e.id = p_document.id), false);
comment on function audit._tient is 'Vrai si ce que les livres disent du document est ce que couvre cette racine.';
