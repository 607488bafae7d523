"""Routes of jobs: jobs on demand, and backups."""

from app.http.route import COMPANY, GET, POST, PUT
from app.routes import jobs_vault

PREFIX = "/api/v1/jobs"
BOUNDS = COMPANY
VAULT = "/api/v1/admin/sauvegardes"
ROUTES = [
    POST("/recalculer-paie", "jobs.recalculer_paie", "RH.MODIFIER", job=True),
    POST("/generer-echeances", "jobs.generer_echeances", "RESIDENCE.MODIFIER", "GenererEcheancesDto", job=True),
    POST("/transition-contrats-expires", "jobs.transition_contrats_expires", "RESIDENCE.MODIFIER", job=True),
    POST("/expirer-abonnements", "jobs.expirer_abonnements", "RESIDENCE.MODIFIER", job=True),
    POST("/reesolde-stock", "jobs.reesolde_stock", "MARCHANDISE.MODIFIER", job=True),
    POST("/sauvegarde-auto", "jobs.sauvegarde_auto", "ADMIN.MODIFIER", handler=jobs_vault.save, supplied=jobs_vault.SUPPLIED, job=True),
    GET(VAULT, "jobs.sauvegarde_lister", "ADMIN.VOIR"),
    POST(f"{VAULT}/declencher", "jobs.sauvegarde_declencher", "ADMIN.MODIFIER", handler=jobs_vault.save, supplied=jobs_vault.SUPPLIED),
    POST(f"{VAULT}/{{id_sauvegarde}}/restaurer", "jobs.restauration_demander", "ADMIN.MODIFIER", "RestaurerSauvegardeDto", handler=jobs_vault.restore),
    GET(f"{VAULT}/planification", "jobs.planification_detail", "ADMIN.VOIR"),
    PUT(f"{VAULT}/planification", "jobs.planification_modifier", "ADMIN.MODIFIER", "MajPlanificationDto"),
]
PLUMBING = {
    "jobs.menage",
    "jobs.signaler_retards",
    "jobs.resumer_applications",
    "jobs.resumer_depenses",
    "jobs.resumer_factures",
    "jobs.resumer_paiements",
    "jobs.file_attendre",
    "jobs.file_profondeur",
    "jobs.file_reprendre",
    "jobs.heure_locale",
    "jobs.tache_bilan",
    "jobs.tache_commencer",
    "jobs.tache_compter",
    "jobs.tache_echoir",
    "jobs.tache_tenir",
    "jobs.courriel_demander",
    "jobs.courriel_preparer",
    "jobs.import_avancer",
    # Called by app/jobs/webhooks.py.
    "jobs.webhook_bilan",
    "jobs.webhook_differer",
    "jobs.webhook_lot",
    "jobs.webhook_noter",
    "jobs.webhook_tenir",
    # Called by app/vault/vault.py, in the process that makes or restores a backup.
    "jobs.sauvegarde_commencer",
    "jobs.sauvegarde_reussir",
    "jobs.sauvegarde_echouer",
    "jobs.sauvegarde_perimees",
    "jobs.sauvegarde_retirer",
    "jobs.restauration_commencer",
    "jobs.restauration_reussir",
    "jobs.restauration_echouer",
}
