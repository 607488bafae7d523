"""Routes of jobs: none yet; what the worker runs and the scrape endpoint reads."""

from app.routes import Route

PREFIX = "/api/v1/jobs"
ROUTES: list[Route] = []
PLUMBING = {"jobs.menage", "jobs.file_profondeur", "jobs.tache_bilan"}
