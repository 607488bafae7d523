"""Barcodes of products: typed, generated, scanned, and printed on labels."""

import re
import struct

from app import routes
from app.documents.templates import bar_code
from tests import builders
from tests.conftest import ok, refusal, refused, values_of
from tests.documents import browsers, paper

PRODUCT = {"nom": "Café moulu", "prix_achat": "1275.50", "prix_vente": "1900"}
SUPPLIER = "3017620422003"  # a valid EAN-13
LEFT = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"]
PARITY = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]


def check_digit(twelve):
    return str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(twelve)) % 10)


def modules(code):
    """Return the bars of an EAN-13 as the standard defines them, 1 for black."""
    inverted = str.maketrans("01", "10")
    even = [digit.translate(inverted)[::-1] for digit in LEFT]
    sides = zip(PARITY[int(code[0])], code[1:7], strict=True)
    left = "".join((LEFT if side == "L" else even)[int(digit)] for side, digit in sides)
    right = "".join(LEFT[int(digit)].translate(inverted) for digit in code[7:])
    return f"101{left}01010{right}101"


def drawn(svg):
    """Return the bars of a picture without its quiet zones, 1 for black."""
    bars = ["0"] * int(re.search(r'viewBox="0 0 (\d+) 1"', svg)[1])
    for start, width in re.findall(r"M(\d+) 0h(\d+)", svg):
        bars[int(start) : int(start) + int(width)] = "1" * int(width)
    return "".join(bars).strip("0")


def product(http, **fields):
    return ok(http.post("/market/produits", json={**PRODUCT, **fields}), 201)


def test_a_product_keeps_its_barcode_reference_and_picture(http):
    admin = http.as_admin()
    made = product(admin, code_barre=f"{SUPPLIER}\r\n", reference="CAFE-250", image_url="produit-photo/1-a.jpg")
    assert values_of(made, "code_barre reference image_url") == (SUPPLIER, "CAFE-250", "produit-photo/1-a.jpg")
    path = f"/market/produits/{made['id_produit']}"
    assert admin.get(path).json() == made
    assert admin.get("/market/produits", params={"recherche": SUPPLIER}).json() == [made]
    assert admin.patch(path, json={"code_barre": SUPPLIER}).json() == made
    assert admin.patch(path, json={"nom": "Café"}).json()["code_barre"] == SUPPLIER
    assert admin.patch(path, json={"code_barre": " "}).json()["code_barre"] is None
    assert admin.patch(path, json={"code_barre": "LOT 7/B-44"}).json()["code_barre"] == "LOT 7/B-44"
    assert admin.patch(path, json={"code_barre": None}).json()["code_barre"] is None
    assert product(admin, code_barre="")["code_barre"] is None


def test_other_codes_of_suppliers_are_accepted_as_they_are(http):
    admin = http.as_admin()
    for code in ("96385074", "036000291452", "ABC-abc.12", "x", "~" * 48, "2000000000015"[:12]):
        assert product(admin, code_barre=code)["code_barre"] == code
        assert admin.get(f"/market/produits/scan/{code}").json()["code_barre"] == code


def test_a_code_that_no_reader_can_give_is_refused(http):
    admin = http.as_admin()
    path = f"/market/produits/{product(admin)['id_produit']}"
    for code, rule in (
        ("3017620422004", "CODE_BARRE_CLE"),
        ("2000000000010", "CODE_BARRE_CLE"),
        ("é123", "VALIDATION_ERROR"),
        ("12\x0034", "VALIDATION_ERROR"),
        ("12\t34", "CODE_BARRE_IMPRIMABLE"),
        ("4" * 49, "CODE_BARRE_IMPRIMABLE"),
        ("4" * 1000, "VALIDATION_ERROR"),
        ({"code": "1"}, "VALIDATION_ERROR"),
    ):
        assert refusal(admin.post("/market/produits", json={**PRODUCT, "code_barre": code})) == (400, rule), code
        assert refusal(admin.patch(path, json={"code_barre": code})) == (400, rule), code


def test_a_barcode_belongs_to_one_product(http):
    admin = http.as_admin()
    product(admin, code_barre=SUPPLIER)
    path = f"/market/produits/{product(admin, nom='Thé')['id_produit']}"
    for answer in (
        admin.patch(path, json={"code_barre": SUPPLIER}),
        admin.post("/market/produits", json={**PRODUCT, "code_barre": SUPPLIER}),
    ):
        assert refusal(answer) == (409, "CODE_BARRE_EXISTANT")


def test_the_shop_gives_a_product_an_internal_code_once(http):
    admin = http.as_admin()
    first, second = product(admin), product(admin, nom="Thé")
    path = f"/market/produits/{first['id_produit']}/code-barre"
    given = admin.post(path)
    assert (given.status_code, given.json() | {"code_barre": None}) == (200, first)
    code = given.json()["code_barre"]
    assert re.fullmatch(r"20\d{11}", code) and code[12] == check_digit(code[:12])
    assert refusal(admin.post(path)) == (400, "CODE_BARRE_DEJA_DONNE")
    # A user has typed the next internal code already.
    taken = f"20{int(code[2:12]) + 1:010}"
    product(admin, code_barre=taken + check_digit(taken))
    other = admin.post(f"/market/produits/{second['id_produit']}/code-barre").json()["code_barre"]
    assert int(other[2:12]) == int(code[2:12]) + 2
    assert refusal(admin.post("/market/produits/987654/code-barre")) == (404, "NOT_FOUND")


def test_the_database_computes_and_checks_every_check_digit(db):
    codes = ["200000000000", "209999999999", "301762042200", "040000000000", "978020137962"]
    assert [row["code"] for row in db.all("select market._ean13(c) as code from unnest(%s::text[]) c", [codes])] == [
        code + check_digit(code) for code in codes
    ]
    id_produit = builders.produit(db)
    for code in codes:
        for digit in "0123456789":
            statement = ("update market.produit set code_barre = %s where id_produit = %s", [code + digit, id_produit])
            if digit == check_digit(code):
                db.execute(*statement)
            else:
                with refused("code_barre_cle"):
                    db.execute(*statement)


def test_a_scan_finds_the_product_of_a_code(http):
    admin = http.as_admin()
    made = product(admin, code_barre=SUPPLIER)
    assert admin.get(f"/market/produits/scan/{SUPPLIER}").json() == made
    for unknown in ("2000000000015", "x" * 300, "%C3%A9", made["reference"], "produits"):
        assert refusal(admin.get(f"/market/produits/scan/{unknown}")) == (404, "NOT_FOUND"), unknown
    slashed = product(admin, nom="Thé", code_barre="LOT 7/B-44")
    assert admin.get("/market/produits/scan/LOT%207%2FB-44").json() == slashed
    message = admin.get("/market/produits/scan/2000000000015").json()["message"]
    assert message == "Code-barres « 2000000000015 » introuvable."


def test_a_drawn_ean_13_has_the_bars_of_the_standard():
    for code in (SUPPLIER, "2000000000015", "0000000000000", "9780201379624", "4006381333931"):
        assert drawn(bar_code(code)) == modules(code)


def test_a_drawn_code_128_starts_and_stops_as_the_standard_says():
    bars = drawn(bar_code("LOT 7/B-44"))
    assert bars.startswith("11010010000") and bars.endswith("1100011101011")  # start B, stop
    assert (len(bars) - 2) % 11 == 0


def test_the_label_of_a_product_is_a_picture(http):
    browsers.needed()
    admin = http.as_admin()
    made = product(admin, nom="Riz parfumé 5 kg, sac de la récolte nouvelle, " * 3, code_barre=SUPPLIER)
    answer = admin.get(f"/market/produits/{made['id_produit']}/etiquette")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["content-disposition"] == f'inline; filename="etiquette-{made["reference"]}.png"'
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", answer.content[16:24])
    assert (width, round(width / height, 1)) == (908, 1.5)  # 60 mm by 40 mm, four pixels for one of CSS
    without = product(admin, nom="Thé")
    assert refusal(admin.get(f"/market/produits/{without['id_produit']}/etiquette")) == (404, "CODE_BARRE_ABSENT")
    assert refusal(admin.get("/market/produits/987654/etiquette")) == (404, "NOT_FOUND")


def test_a_sheet_has_the_labels_of_the_products_in_the_order_of_the_request(http):
    browsers.needed()
    admin = http.as_admin()
    first = product(admin, nom="Mil 1 kg", prix_vente="1450", code_barre=SUPPLIER)["id_produit"]
    second = product(admin, nom="Fonio 1 kg", prix_vente="2375", code_barre="LOT-9")["id_produit"]
    answer = admin.get("/market/produits/etiquettes", params={"ids": f"{second}, {first},{first}"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    text = paper.text(answer.content)
    assert [text.count(word) for word in ("Fonio", "2 375 FCFA", "LOT-9")] == [1, 1, 1]
    assert (text.count("Mil 1 kg"), text.count(SUPPLIER), text.index("Fonio") < text.index("Mil")) == (2, 2, True)
    size = paper.sizes(answer.content)
    assert (size.pages, round(size.width), round(size.height)) == (1, 210, 297)
    many = admin.get("/market/produits/etiquettes", params={"ids": ",".join([first] * 25)})
    assert paper.sizes(many.content).pages == 2
    assert paper.text(admin.get("/market/produits/etiquettes").content).count("1 kg") == 2


def test_a_sheet_of_malformed_ids_is_refused(http):
    admin = http.as_admin()
    for ids in (",", "a", "1;2", "1,,2", "-1", "9" * 19, "1," * 3):
        assert refusal(admin.get("/market/produits/etiquettes", params={"ids": ids})) == (400, "VALIDATION_ERROR"), ids


def test_a_sheet_names_the_product_that_has_no_label(http):
    admin = http.as_admin()
    made = product(admin, code_barre=SUPPLIER)["id_produit"]
    without = product(admin, nom="Thé vert")["id_produit"]
    answer = admin.get("/market/produits/etiquettes", params={"ids": f"{made},{without}"})
    assert refusal(answer) == (404, "CODE_BARRE_ABSENT") and "Thé vert" in answer.json()["message"]
    assert refusal(admin.get("/market/produits/etiquettes", params={"ids": f"{made},987654"})) == (404, "NOT_FOUND")
    answer = admin.get("/market/produits/etiquettes", params={"ids": ",".join([made] * 481)})
    assert refusal(answer) == (400, "ETIQUETTES_TROP_NOMBREUSES")


def test_the_code_of_the_shop_wants_the_right_to_modify_products():
    table = {(route.method, route.path): route.permission for route in routes.load().routes}
    assert table["POST", "/api/v1/market/produits/{id_produit}/code-barre"] == "MARCHANDISE.MODIFIER"
