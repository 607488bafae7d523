"""Routes of jobs: what may be run by hand; what the worker runs and the scrape endpoint reads."""

from app.routes import POST

PREFIX = "/api/v1/jobs"
ROUTES = [
    POST("/recalculer-paie", "jobs.recalculer_paie", "RH.MODIFIER"),
    POST("/generer-echeances", "jobs.generer_echeances", "RESIDENCE.MODIFIER", "GenererEcheancesDto"),
    POST("/transition-contrats-expires", "jobs.transition_contrats_expires", "RESIDENCE.MODIFIER"),
    POST("/reesolde-stock", "jobs.reesolde_stock", "MARCHANDISE.MODIFIER"),
]
PLUMBING = {"jobs.menage", "jobs.resumer_paiements", "jobs.file_profondeur", "jobs.tache_bilan"}
