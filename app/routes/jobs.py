"""Routes of jobs: what may be run by hand, each run counted; what the worker runs and the scrape endpoint reads."""

from app.routes import POST

PREFIX = "/api/v1/jobs"
ROUTES = [
    POST("/recalculer-paie", "jobs.recalculer_paie", "RH.MODIFIER"),
    POST("/generer-echeances", "jobs.generer_echeances", "RESIDENCE.MODIFIER", "GenererEcheancesDto"),
    POST("/transition-contrats-expires", "jobs.transition_contrats_expires", "RESIDENCE.MODIFIER"),
    POST("/reesolde-stock", "jobs.reesolde_stock", "MARCHANDISE.MODIFIER"),
    POST("/sceller", "jobs.sceller", "AUDIT.MODIFIER"),
]
PLUMBING = {
    "jobs.menage",
    "jobs.file_profondeur",
    "jobs.file_reprendre",
    "jobs.heure_locale",
    "jobs.tache_bilan",
    "jobs.tache_compter",
    "jobs.tache_echoir",
    "jobs.tache_tenir",
    "jobs.courriel_demander",
    "jobs.courriel_preparer",
}
