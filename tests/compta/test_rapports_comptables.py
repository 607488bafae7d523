"""Balance, general ledger, result and balance sheet."""


def test_load(db):
    print(db.all("select * from compta.balance()"))
    print(db.all("select * from compta.bilan()"))
    print(db.all("select count(*) from compta.etat_ligne"))
