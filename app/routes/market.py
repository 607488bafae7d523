"""Routes of market: catalogue, barcodes, stock, sales."""

from app.auth.throttle import Throttle
from app.documents.document import Report
from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, DELETE, GET, PATCH, PDF, PNG, POST, STORED
from app.routes.uploads import photo

PREFIX = "/api/v1/market"
BOUNDS = ACTIVITY
STOCK = Report("Valeur du stock", totals=("valeur_stock",), hidden=("id_produit",), day=True)
EXAMPLES = {"MouvementStock.valeur": "25000.00"}
ROUTES = [
    GET("/categories-produits", "market.categorie_produit_lister", "MARCHANDISE.VOIR|MARCHANDISE.COMMANDER"),
    CREATE("/categories-produits", "market.categorie_produit_creer", "MARCHANDISE.CREER", "CreerCategorieProduitDto"),
    GET("/categories-produits/{id_categorie_produit}", "market.categorie_produit_detail", "MARCHANDISE.VOIR"),
    PATCH("/categories-produits/{id_categorie_produit}", "market.categorie_produit_modifier", "MARCHANDISE.MODIFIER", "MajCategorieProduitDto", "market.categorie_produit_champs"),
    DELETE("/categories-produits/{id_categorie_produit}", "market.categorie_produit_desactiver", "MARCHANDISE.SUPPRIMER"),
    GET("/fournisseurs", "market.fournisseur_lister", "MARCHANDISE.VOIR"),
    CREATE("/fournisseurs", "market.fournisseur_creer", "MARCHANDISE.CREER", "CreerFournisseurDto"),
    GET("/fournisseurs/{id_fournisseur}", "market.fournisseur_detail", "MARCHANDISE.VOIR"),
    PATCH("/fournisseurs/{id_fournisseur}", "market.fournisseur_modifier", "MARCHANDISE.MODIFIER", "MajFournisseurDto", "market.fournisseur_champs"),
    DELETE("/fournisseurs/{id_fournisseur}", "market.fournisseur_desactiver", "MARCHANDISE.SUPPRIMER"),
    GET("/produits", "market.produit_lister", "MARCHANDISE.VOIR|MARCHANDISE.COMMANDER"),
    CREATE("/produits", "market.produit_creer", "MARCHANDISE.CREER", "CreerProduitDto"),
    GET("/produits/{id_produit}", "market.produit_detail", "MARCHANDISE.VOIR|MARCHANDISE.COMMANDER"),
    PATCH("/produits/{id_produit}", "market.produit_modifier", "MARCHANDISE.MODIFIER", "MajProduitDto", "market.produit_champs"),
    GET("/produits/scan/{code_barre}", "market.produit_scanner", "MARCHANDISE.VOIR"),
    POST("/produits/{id_produit}/code-barre", "market.produit_code_barre_creer", "MARCHANDISE.MODIFIER"),
    GET("/produits/{id_produit}/etiquette", "market.produit_etiquette", "MARCHANDISE.VOIR", media=PNG, template="etiquette.html"),
    GET("/produits/etiquettes", "market.produit_etiquettes", "MARCHANDISE.VOIR", media=PDF, template="etiquettes.html"),
    GET("/ventes", "market.vente_lister", "MARCHANDISE.VOIR", stale=True),
    CREATE("/ventes", "market.vente_creer", "MARCHANDISE.CREER", "CreerVenteDto", parts={"lignes": "LigneVenteDto", "paiement": "PaiementVenteDto"}),
    GET("/ventes/{id_vente}", "market.vente_detail", "MARCHANDISE.VOIR"),
    POST("/ventes/{id_vente}/valider", "market.vente_valider", "MARCHANDISE.VALIDER"),
    POST("/ventes/{id_vente}/encaisser", "market.vente_encaisser", "FINANCES.ENCAISSER", "EncaisserVenteDto"),
    POST("/ventes/{id_vente}/annuler", "market.vente_annuler", "MARCHANDISE.SUPPRIMER", "AnnulerVenteDto"),
    GET("/rapports/ventes", "market.rapport_ventes", "MARCHANDISE.VOIR", stale=True),
    GET("/rapports/stock", "market.rapport_stock", "MARCHANDISE.VOIR", formats=("csv", "pdf", "xlsx"), report=STOCK, stale=True),
    CREATE("/mouvements", "market.mouvement_stock_creer", "MARCHANDISE.CREER", "AjouterMouvementDto"),
    POST("/mouvements/{id_mouvement}/corriger", "market.mouvement_stock_corriger", "MARCHANDISE.MODIFIER", "CorrigerMouvementDto"),
    GET("/stock/alerte", "market.stock_alerte", "MARCHANDISE.VOIR"),
    GET("/stock/historique", "market.stock_historique", "MARCHANDISE.VOIR", stale=True),
    POST("/stock/reesolde", "market.stock_reesolder", "MARCHANDISE.MODIFIER"),
    # The shop window
    GET("/vitrine", "market.vitrine_lister", None, bounds=COMPANY, public=True, throttle=Throttle(60, 60), cached=60),
    GET("/vitrine/{id_produit}/image", "market.vitrine_photo", None, bounds=COMPANY, public=True, handler=photo("Photo d'un produit de la vitrine."), media=STORED, throttle=Throttle(600, 60), cached=3600),
    # The portal
    GET("/portail/ventes", "market.portail_ventes", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail/ventes", "market.vente_demander", "MARCHANDISE.COMMANDER", "DemanderVenteDto", parts={"lignes": "LigneVenteDto"}, bounds=CLIENT),
    GET("/portail/ventes/{id_vente}", "market.portail_vente_detail", "PORTAIL.VOIR", bounds=CLIENT),
    POST("/portail/ventes/{id_vente}/annuler", "market.vente_renoncer", "MARCHANDISE.COMMANDER", "RenoncerVenteDto", bounds=CLIENT),
]
