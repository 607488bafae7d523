"""Letters: text and HTML have the same words, user input is escaped and isolated, the organisation is the sender."""

import asyncio
import re
from unittest.mock import AsyncMock

import pytest

from app.base.settings import Settings
from app.jobs import letters
from app.jobs.letters import LIFE, Recipient, Secret
from app.jobs.mailer import Letter, Mailer
from tests.documents.paper import Html

HOSTILE = "<script>x</script>{lien} \u202eAwa & Cie"
TO = Recipient("awa@exemple.ci", "awa.exemple", "Awa Exemple", "Groupe Exemple")


def render(letter: str, to: Recipient) -> Letter:
    box, secret = AsyncMock(Mailer), Secret("jeton-du-lien", "h", 3600)
    asyncio.run(letters.send(box, Settings.from_environment({}), letter, to, secret))
    message: Letter = box.send.await_args.args[2]
    return message


@pytest.mark.parametrize("letter", LIFE)
def test_a_letter_has_the_same_words_as_text_and_as_html(letter: str) -> None:
    message = render(letter, TO)
    page = Html(message.html)
    assert "#jeton=jeton-du-lien" in message.text
    assert page.addresses == ["http://127.0.0.1:8000/mot-de-passe#jeton=jeton-du-lien"]
    words = "".join("".join(page.text).split())
    for line in message.text.split("\n"):
        assert "".join(line.split()) in words, line
    assert message.sender == "Groupe Exemple" and message.text.endswith("Groupe Exemple")
    assert "{" not in message.text and "style=" in message.html and "src=" not in message.html
    assert re.findall('break-all">(.*?)<', message.html) == page.addresses  # a word of a sentence is never cut


@pytest.mark.parametrize("letter", LIFE)
def test_user_input_is_inert_in_a_letter(letter: str) -> None:
    message = render(letter, Recipient("awa@exemple.ci", HOSTILE, HOSTILE, HOSTILE))
    page = Html(message.html)
    assert "script" not in page.tags and len(page.addresses) == 1
    assert HOSTILE in message.text
    assert message.html.count("&lt;script&gt;") == message.html.count("<bdi>&lt;script&gt;x&lt;/script&gt;{lien}")


@pytest.mark.parametrize("letter", LIFE)
def test_the_letter_of_an_organisation_without_a_name_has_no_sender(letter: str) -> None:
    message = render(letter, Recipient(TO.email, TO.login, TO.nom, None))
    assert "None" not in message.text + message.html and message.sender == ""


def test_each_letter_states_the_lifetime_of_its_link() -> None:
    for letter in LIFE:
        duration = {3600: "dans l'heure", 604_800: "dans les sept jours"}[letters.new_secret(letter).seconds]
        assert duration in " ".join(letters.text_of(letter)[1]), letter


def test_a_configured_password_page_receives_the_token_where_it_expects_it() -> None:
    def link(page: str) -> str:
        return Settings.from_environment({"PAGE_MOT_DE_PASSE": page} if page else {}).password_link("J")

    assert link("") == "http://127.0.0.1:8000/mot-de-passe#jeton=J"
    assert link("https://a.ci/passe") == "https://a.ci/passe?jeton=J"
    assert link("https://a.ci/passe?l=fr") == "https://a.ci/passe?l=fr&jeton=J"
    assert link("https://a.ci/#/passe/{jeton}") == "https://a.ci/#/passe/J"
