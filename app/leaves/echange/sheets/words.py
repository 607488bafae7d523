"""Words that sheets use for the fields of each entity, in lower case and without accents."""

from __future__ import annotations

# A line has a field and its words. A field of one entity, such as produits.nom, has its own words.
_TEXT = """
actif: active, en service
activite: secteur, code activite, activite code
adresse: adresse postale, rue, localisation, quartier
autres_infos: autres infos, notes, observations, remarques
batiment: batiment code, immeuble, residence, code batiment, nom du batiment, bloc, id batiment code
categorie: famille, rayon, groupe, categorie produit, categorie plat, categorie libelle
client: locataire, nom du client, nom client, code client, client code, nom du locataire, nom complet
code: n, no, numero, code client, reference
batiments.code: code batiment, lettre
clients.code: code client, n client, no client, numero client, numero de client
employes.code: matricule, code employe, n matricule, no matricule, numero matricule
code_barre: code barres, code a barres, ean, ean13, gencod
contact: interlocuteur, personne a contacter, responsable
date: date facture, date de la facture, date de facture, emise le
date_debut: date de debut, date debut bail, debut du bail, date d entree, date entree, entree, du
date_embauche: date d embauche, embauche, embauche le, date d entree, date entree, recrute le
date_entree: date d entree, entre le
date_fin_prevue: date fin, date de fin, fin du bail, fin, echeance, date de fin prevue, au
date_naissance: date de naissance, ne le, nee le, naissance, ddn
date_signature: date de signature, signe le, signature du bail
date_sortie: date de sortie, sortie, date de depart
description: descriptif, detail, details, composition
disponible: en vente, a la carte
document_ref: document ref, reference document, bon, n bon, no bon
duree_mois: duree, duree en mois, duree du bail, nombre de mois
email: e mail, mail, courriel, adresse electronique, adresse mail, adresse e mail
equipements: equipement, mobilier
etat: etat des lieux, condition
fonction: poste, emploi
fournisseur: fournisseur nom, nom fournisseur, nom du fournisseur
lieu_naissance: ne a, lieu de naissance
libelle: designation, intitule, nom, objet, prestation, service
factures.libelle: designation, objet, numero, n facture, no facture, numero facture, numero de facture, facture,
  reference
logement: chambre, appartement, studio, n logement, no logement, numero logement, numero du logement, local, numero
montant: reste, reste a payer, solde, du, montant du, impaye, montant restant, reste du, montant reste a payer
montant_loyer: loyer, loyer mensuel, montant du loyer, loyer initial, prix du loyer
motif: commentaire, remarque
nationalite: pays d origine
nom: noms, nom de famille, libelle
clients.nom: noms, nom de famille, nom du client, nom client
employes.nom: noms, nom de famille, nom employe
fournisseurs.nom: fournisseur, raison sociale, nom du fournisseur, nom fournisseur, societe, libelle
plats.nom: plat, designation, nom du plat, libelle, intitule
produits.nom: designation, produit, article, nom du produit, nom produit, libelle, intitule
stock.nom: designation, produit, article, nom du produit, nom produit, libelle
batiments.nom: nom du batiment, batiment, libelle
numero: n, no, numero logement, n logement, no logement, numero du logement, chambre, porte
pays: pays de residence
paye_jusqu_au: paye jusqu au, paye jusqu a, loyer paye jusqu au, paye jusque, a jour jusqu au, regle jusqu au,
  dernier loyer paye, paid until, jusqu au, payes jusqu au, paye au
prenom: prenoms, prenom s
prenoms: prenom, prenom s
prix: tarif, montant, prix unitaire, pu, prix de vente, prix ttc
prix_achat: pa, achat, cout, cout d achat, prix de revient, prix d achat unitaire
prix_vente: pv, vente, prix, tarif, prix unitaire, pu, prix de vente unitaire, prix ttc
profession: metier, emploi, activite professionnelle
quantite: qte, qte en stock, stock, quantite en stock, quantite stock, stock initial, nombre, quantite initiale,
  stock d ouverture
quantite_initiale: qte, quantite, stock, quantite stock, stock initial, qte en stock, stock d ouverture, en stock
reference: ref, code, code produit, code article, sku, reference produit, ref produit
salaire_base: salaire, salaire mensuel, salaire de base mensuel, remuneration
service: departement, service libelle
seuil_alerte: seuil, stock minimum, stock mini, stock min, alerte, seuil d alerte
sexe: genre, civilite
statut: disponibilite
tarif: loyer, prix, montant, loyer mensuel, montant du loyer
tel_principal: tel, tel 1, tel1, telephone 1, telephone principal, tel principal, n tel, no tel, n de tel, numero
  tel, n telephone, n de telephone, no telephone, numero de telephone, numero telephone, mobile, portable,
  cellulaire, cel, gsm, whatsapp, contact, contacts, numero
tel_secondaire: tel 2, tel2, telephone 2, telephone secondaire, tel secondaire, autre tel, autre numero, deuxieme
  telephone
telephone: tel, tel 1, n tel, no tel, n de tel, numero tel, n telephone, n de telephone, no telephone, numero de
  telephone, numero telephone, mobile, portable, cellulaire, cel, telephone du client, tel client
type: type logement, nature, categorie, type de logement
type_client: type, type client, categorie, nature
type_contrat: contrat, type contrat, nature du contrat
type_location: type location, type de bail, type bail, frequence, mensuel annuel
ville: commune, localite
"""


def _read(text: str) -> dict[str, frozenset[str]]:
    entries = (line.partition(": ") for line in text.strip().replace("\n  ", " ").splitlines())
    return {field: frozenset(words.split(", ")) for field, _, words in entries}


WORDS = _read(_TEXT)
