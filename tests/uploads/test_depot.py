"""POST and GET /uploads against a real S3 store: limits, types, keys and permissions."""

import re
import zlib

import pytest

from tests import builders
from tests.conftest import ok, refusal

NAMELESS = b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"
MIO = 1024 * 1024
JPEG = b"\xff\xd8\xff\xe0 une photo"
PNG = b"\x89PNG\r\n\x1a\n une photo"
WEBP = b"RIFF\x10\0\0\0WEBPVP8 une photo"
PDF = b"%PDF-1.7 une copie"
KEY = {"idempotency-key": "abc"}
CATEGORIES = {
    "client-photo": "CLIENT", "piece-identite": "CLIENT", "plat-photo": "RESTAURANT", "etat-lieux": "RESIDENCE",
    "produit-photo": "MARCHANDISE", "signalement-photo": "SIGNALEMENT",
}  # fmt: skip


def deposit(http, content, categorie="client-photo", name="photo.jpg", **options):
    return http.post("/uploads", data={"categorie": categorie}, files={"file": (name, content)}, **options)


def fetch(http, key, **options):
    return http.get("/uploads", params={"key": key}, **options)


@pytest.mark.parametrize("categorie, content, kind", [
    ("client-photo", JPEG, "image/jpeg"), ("piece-identite", PNG, "image/png"), ("plat-photo", WEBP, "image/webp"),
    ("etat-lieux", PDF, "application/pdf"), ("produit-photo", JPEG, "image/jpeg"),
    ("signalement-photo", PNG, "image/png"),
])  # fmt: skip
def test_an_uploaded_file_is_downloaded_with_its_content_and_type(http, db, categorie, content, kind):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    admin = http.as_user(user)
    answer = deposit(admin, content, categorie, name="n'importe quoi.png")
    assert answer.status_code == 201 and list(answer.json()) == ["key"]
    key, extension = answer.json()["key"], kind.rpartition("/")[2].replace("jpeg", "jpg")
    assert re.fullmatch(rf"{categorie}/{user}-[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\.{extension}", key)
    download = fetch(admin, key)
    assert (download.status_code, download.content) == (200, content)
    assert download.headers.items() >= {
        "content-type": kind, "content-length": str(len(content)), "cache-control": "private, no-cache",
        "x-content-type-options": "nosniff", "content-disposition": f'inline; filename="{key}"',
    }.items()  # fmt: skip


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_an_invalid_idempotency_key_is_refused_before_the_file_is_stored(http, key):
    assert refusal(deposit(http.as_admin(), JPEG, headers={"idempotency-key": key})) == (400, "VALIDATION_ERROR")


def test_a_download_with_a_matching_etag_answers_304(http):
    admin = http.as_admin()
    key = deposit(admin, JPEG).json()["key"]
    tag = fetch(admin, key).headers["etag"]
    for tags in (tag, f'"autre", {tag}', f"W/{tag}", "*"):
        answer = fetch(admin, key, headers={"if-none-match": tags})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert answer.headers["cache-control"] == "private, no-cache"
    assert fetch(admin, key, headers={"if-none-match": '"autre"'}).status_code == 200


def test_a_file_of_5_mib_is_accepted_and_one_byte_more_is_refused(http):
    admin = http.as_admin()
    largest = JPEG + b"x" * (5 * MIO - len(JPEG))
    assert fetch(admin, deposit(admin, largest).json()["key"]).content == largest
    assert refusal(deposit(admin, largest + b"x")) == (413, "CORPS_TROP_GRAND")
    assert refusal(deposit(admin, JPEG + b"x" * 6 * MIO)) == (413, "CORPS_TROP_GRAND")


def test_a_body_without_content_length_is_refused_at_the_limit(http):
    """The server stops reading at the limit: it never requests the second half of the body."""
    chunks = 0

    async def endless():
        nonlocal chunks
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n' + JPEG
        for _ in range(1000):
            chunks += 1
            yield b"x" * 65536

    headers = {"content-type": "multipart/form-data; boundary=b"}
    assert refusal(http.as_admin().post("/uploads", content=endless(), headers=headers)) == (413, "CORPS_TROP_GRAND")
    assert chunks < 90


@pytest.mark.parametrize(
    "content",
    [
        b"<html><script>alert(1)</script>", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a",
        b"RIFF\x10\0\0\0WAVE", b"\x89PNG", b" %PDF-1.7", b"PK\x03\x04", b"\xff\xd8",
    ],
)  # fmt: skip
def test_other_contents_are_refused_despite_their_file_name_and_media_type(http, content):
    files = {"file": ("photo.jpg", content, "image/jpeg")}
    answer = http.as_admin().post("/uploads", data={"categorie": "client-photo"}, files=files)
    assert refusal(answer) == (415, "TYPE_DE_FICHIER")


def test_an_image_whose_header_claims_huge_dimensions_is_stored_as_bytes(http):
    """The server decodes no image, so the dimensions in the header have no effect."""
    size = (2**31 - 1).to_bytes(4)
    header = b"IHDR" + size + size + b"\x08\x06\0\0\0"
    bomb = b"\x89PNG\r\n\x1a\n\0\0\0\r" + header + zlib.crc32(header).to_bytes(4) + zlib.compress(b"\0" * 4 * MIO)
    admin = http.as_admin()
    assert fetch(admin, deposit(admin, bomb).json()["key"]).content == bomb


@pytest.mark.parametrize(
    "fields, files, invalid",
    [
        ({"categorie": "facture"}, {"file": ("a.jpg", JPEG)}, ["categorie"]),
        ({"categorie": "../etat-lieux"}, {"file": ("a.jpg", JPEG)}, ["categorie"]),
        ({}, {"file": ("a.jpg", JPEG)}, ["categorie"]),
        ({"categorie": "client-photo"}, {"fichier": ("a.jpg", JPEG)}, ["fichier", "file"]),
        ({"categorie": "client-photo", "file": "a.jpg"}, {"autre": ("a.jpg", JPEG)}, ["autre"]),
        ({"categorie": "client-photo", "key": "x"}, {"file": ("a.jpg", JPEG)}, ["key"]),
    ],
)
def test_an_invalid_form_is_refused_with_the_names_of_its_fields(http, fields, files, invalid):
    answer = http.as_admin().post("/uploads", data=fields, files=files)
    assert refusal(answer) == (400, "VALIDATION_ERROR")
    assert sorted(problem["property"] for problem in answer.json()["details"]) == invalid


@pytest.mark.parametrize(
    "body, kind, expected",
    [
        (b"{}", "application/json", (415, "TYPE_DE_CONTENU")),
        (b"{}", "multipart/form-data", (400, "FORMULAIRE_INVALIDE")),
        (b"abc", "multipart/form-data; boundary=b", (400, "FORMULAIRE_INVALIDE")),
        (NAMELESS, "multipart/form-data; boundary=b", (400, "FORMULAIRE_INVALIDE")),
        (b"", "multipart/form-data; boundary=b", (400, "VALIDATION_ERROR")),
    ],
)  # fmt: skip
def test_a_body_that_is_not_a_form_is_refused(http, body, kind, expected):
    assert refusal(http.as_admin().post("/uploads", content=body, headers={"content-type": kind})) == expected


def test_two_files_and_long_fields_are_refused(http):
    admin = http.as_admin()
    two_files = [("file", ("a.jpg", JPEG)), ("file", ("b.jpg", JPEG))]
    for answer in (
        admin.post("/uploads", data={"categorie": "client-photo"}, files=two_files),
        deposit(admin, JPEG, "x" * 100_000),
    ):
        assert refusal(answer) == (400, "FORMULAIRE_INVALIDE")


@pytest.mark.parametrize(
    "key",
    [
        "", "../etc/passwd", "etat-lieux/../client-photo/1-a.jpg", "etat-lieux/..", "etat-lieux/.cache",
        "etat-lieux/a..jpg", "etat-lieux/a/b.jpg", "etat-lieux//a.jpg", "/etat-lieux/a.jpg", "facture/1-a.jpg",
        "etat-lieux/", "etat-lieux/a.jpg\n", "etat-lieux/é.jpg", "etat-lieux/%2e%2e", "etat-lieux/a\0.jpg",
        'etat-lieux/a".jpg', "etat-lieux/" + "a" * 121,
    ],
)  # fmt: skip
def test_a_malformed_key_is_refused(http, key):
    answer = fetch(http.as_admin(), key)
    assert refusal(answer) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["property"] == "key"


def test_a_key_without_a_file_is_not_found(http):
    assert refusal(fetch(http.as_admin(), "etat-lieux/1-absent.jpg")) == (404, "NOT_FOUND")


@pytest.mark.parametrize("categorie, domain", CATEGORIES.items())
def test_only_the_permissions_of_the_category_allow_upload_and_download(http, db, categorie, domain):
    user = http.as_user(builders.porteur(db, f"{domain}.MODIFIER", f"{domain}.VOIR"))
    key = deposit(user, JPEG, categorie).json()["key"]
    assert fetch(user, key).content == JPEG
    others = [f"{other}.{action}" for other in {*CATEGORIES.values()} - {domain} for action in ("VOIR", "MODIFIER")]
    user = http.as_user(builders.porteur(db, f"{domain}.CREER", *others))
    for answer, missing in ((deposit(user, JPEG, categorie), "MODIFIER"), (fetch(user, key), "VOIR")):
        assert refusal(answer) == (403, "FORBIDDEN")
        assert f"{domain}.{missing}" in answer.json()["message"]


def test_a_request_repeated_with_its_idempotency_key_stores_one_object(http):
    admin = http.as_admin()
    first = deposit(admin, JPEG, headers=KEY).json()["key"]
    assert deposit(admin, JPEG, headers=KEY).json()["key"] == first
    others = [
        deposit(admin, JPEG + b"!", headers=KEY),
        deposit(admin, JPEG, "piece-identite", headers=KEY),
        deposit(admin, JPEG, headers={"idempotency-key": "abd"}),
        deposit(http.as_admin(), JPEG, headers=KEY),
        deposit(admin, JPEG),
    ]
    assert len({first, *(answer.json()["key"] for answer in others)}) == 6
    assert fetch(admin, first).content == JPEG


def test_the_image_of_a_dish_is_stored_and_replayed(http, db):
    admin, dish = http.as_admin(), builders.plat(db)
    path, files, other = f"/restaurant/plats/{dish}/image", {"file": ("plat.webp", WEBP)}, {"file": ("a", PNG)}
    answer = ok(admin.post(path, files=files, headers=KEY))
    key = answer["image_url"]
    assert key.startswith("plat-photo/") and key.endswith(".webp")
    assert admin.get(f"/restaurant/plats/{dish}").json() == answer
    assert fetch(admin, key).content == WEBP
    again = admin.post(path, files=files, headers=KEY)
    assert again.json() == answer and again.headers["idempotency-replayed"] == "true"
    assert admin.post(path, files=other, headers=KEY).status_code == 422
    assert admin.post(path, files=other).json()["image_url"] != key


def test_a_refused_image_leaves_the_dish_unchanged(http, db):
    admin, dish = http.as_admin(), builders.plat(db)
    before = admin.get(f"/restaurant/plats/{dish}").json()
    path, files = f"/restaurant/plats/{dish}/image", {"file": ("a.jpg", JPEG)}
    assert refusal(admin.post(path, files={"file": ("a.jpg", b"GIF89a")})) == (415, "TYPE_DE_FICHIER")
    assert refusal(admin.post(path, files=files, data={"categorie": "etat-lieux"})) == (400, "VALIDATION_ERROR")
    assert refusal(admin.post("/restaurant/plats/987654/image", files=files)) == (404, "NOT_FOUND")
    assert admin.get(f"/restaurant/plats/{dish}").json() == before


def test_only_staff_and_its_resident_read_the_photo_of_a_lease(http, db):
    admin = http.as_admin()
    key = deposit(admin, PNG, "etat-lieux").json()["key"]
    lease = builders.contrat(db)
    body = {"type": "ENTREE", "cle_objet": key}
    photo = admin.post(f"/residence/contrats/{lease}/etat-des-lieux", json=body).json()["id_photo"]
    shown = admin.get(f"/residence/etat-des-lieux/{photo}/photo")
    assert (shown.status_code, shown.content) == (200, PNG)
    assert shown.headers.items() >= {"content-type": "image/png", "cache-control": "private, no-cache"}.items()
    account = "select u.id_utilisateur from auth.utilisateur u join residence.contrat_location c using (id_client) "
    resident, stranger = (
        http.as_user(db.one(f"{account} where c.id_contrat = %s", [contrat]))
        for contrat in (lease, builders.contrat(db))
    )
    path = f"/residence/portail/etat-des-lieux/{photo}/photo"
    assert resident.get(path).content == PNG
    assert refusal(stranger.get(path)) == (404, "NOT_FOUND")
    for user in (resident, stranger):
        assert refusal(user.get(f"/residence/etat-des-lieux/{photo}/photo")) == (403, "FORBIDDEN")
        assert refusal(fetch(user, key)) == (403, "FORBIDDEN")
    assert refusal(admin.get("/residence/etat-des-lieux/987654/photo")) == (404, "NOT_FOUND")


def test_a_photo_whose_file_is_missing_is_not_found(http, db):
    body = {"type": "ENTREE", "cle_objet": "etat-lieux/1-disparu.jpg"}
    admin = http.as_admin()
    photo = admin.post(f"/residence/contrats/{builders.contrat(db)}/etat-des-lieux", json=body).json()["id_photo"]
    assert refusal(admin.get(f"/residence/etat-des-lieux/{photo}/photo")) == (404, "NOT_FOUND")
