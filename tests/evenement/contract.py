"""The bodies of requests, and the values of query parameters that the house tests send."""

BODIES = {
    "CreerWebhookDto": "url types | description id_activite actif",
    "MajWebhookDto": "| url types description actif",
    "RejouerWebhookDto": "apres |",
}


def make(db, witness, keys):
    keys["types"] = "client.cree,facture.emise"
