"""Mail: the request to the mail API, sent to a real HTTP server, and the log when there is no key."""

import asyncio
import base64
import logging
from collections.abc import Iterator

import pytest

from app.jobs import mailer
from app.jobs.mailer import File, Letter, Mailer, MailError
from tests.mail import Api, answering

KEY = "xkeysib-essai"
LINK = "https://comptoir.test/reinitialiser?jeton=tres-secret"
LETTER = Letter("Votre mot de passe", f"Bonjour,\n\n{LINK}\n", f"<p>{LINK}</p>")
MESSAGE = ("awa@exemple.test", "Awa Koné", LETTER)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with answering(LINK) as server:
        yield server


def send(
    url: str, key: str = KEY, sender: str = "caisse@exemple.test", name: str = MESSAGE[1], letter: Letter = LETTER
) -> None:
    async def run() -> None:
        mail = Mailer(key, url, sender)
        try:
            await mail.send(MESSAGE[0], name, letter)
        finally:
            await mail.close()

    asyncio.run(run())


def test_the_request_matches_the_mail_api(api: Api) -> None:
    send(api.url)
    (request,) = api.requests
    assert request["path"] == "/v3/smtp/email"
    assert request["headers"]["api-key"] == KEY
    assert request["headers"]["content-type"] == "application/json"
    assert request["json"] == {
        "sender": {"name": "Comptoir", "email": "caisse@exemple.test"},
        "to": [{"email": "awa@exemple.test", "name": "Awa Koné"}], "subject": "Votre mot de passe",
        "textContent": LETTER.text, "htmlContent": LETTER.html,
    }  # fmt: skip


def test_a_file_is_attached_as_base64(api: Api) -> None:
    send(api.url, letter=Letter("Contrat", "Voici", files=(File("contrat.pdf", b"%PDF-\xff"),)))
    body = api.requests[0]["json"]
    (file,) = body["attachment"]
    assert (file["name"], base64.b64decode(file["content"])) == ("contrat.pdf", b"%PDF-\xff")
    assert "htmlContent" not in body


def test_a_sender_without_a_name_takes_the_name_of_the_organisation(api: Api) -> None:
    letter, parc = Letter("Contrat", "Voici", sender="Groupe Exemple"), "Résidence du Parc <parc@exemple.test>"
    send(api.url, letter=letter)
    send(api.url, sender=parc, letter=letter)
    send(api.url, sender=parc)
    named = {"name": "Résidence du Parc", "email": "parc@exemple.test"}
    senders = [request["json"]["sender"] for request in api.requests]
    assert senders == [{"name": "Groupe Exemple", "email": "caisse@exemple.test"}, named, named]


def test_a_recipient_without_a_name_has_no_name_in_the_request(api: Api) -> None:
    send(api.url, name="")
    assert api.requests[0]["json"]["to"] == [{"email": "awa@exemple.test"}]


def test_any_answer_that_is_no_2xx_is_an_error_without_a_retry(api: Api) -> None:
    for status in (200, 201, 202):
        api.status = status
        send(api.url)
    assert len(api.requests) == 3
    for number, status in enumerate((302, 400, 401, 429, 500), 4):
        api.status = status
        with pytest.raises(MailError, match=f"refusé l'envoi \\({status}\\)") as refused:
            send(api.url)
        assert len(api.requests) == number
        assert LINK not in str(refused.value) and KEY not in str(refused.value)


def test_a_server_that_does_not_answer_is_an_error(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailer, "TIMEOUT", 0.05)
    api.status = 0
    with pytest.raises(MailError, match="ne répond pas"):
        send(api.url)


def test_an_unreachable_server_is_an_error() -> None:
    for url in ("http://127.0.0.1:1/", "http://", "pas une adresse", "http://[::1"):
        with pytest.raises(MailError, match="ne répond pas"):
            send(url)
    assert mailer.TIMEOUT == 10


def test_without_a_key_the_letter_is_written_to_the_log(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "comptoir.mail"):
        send(api.url, key="")
    assert api.requests == []
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("comptoir.mail", "INFO")
    assert all(text in record.getMessage() for text in (MESSAGE[0], LETTER.subject, LINK))


@pytest.mark.parametrize("status", [201, 500])
def test_with_a_key_the_letter_is_not_logged(api: Api, caplog: pytest.LogCaptureFixture, status: int) -> None:
    api.status = status
    with caplog.at_level(logging.DEBUG):
        try:
            send(api.url)
        except MailError:
            logging.getLogger("comptoir").exception("Échec")
    assert LINK not in caplog.text and KEY not in caplog.text
