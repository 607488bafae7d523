"""The rows of the examples of this slice, for the house tests."""


def make(db, witness, keys):
    db.execute(
        "select notification._emettre('core.essai.emis', 'LOW', 'Essai', 'Pour tous', '{}', null, null, null, null)"
    )
    newest = witness.request("GET", "/api/v1/notifications").json()[0]
    keys["id_notification"] = newest["id_notification"]  # every account sees it
