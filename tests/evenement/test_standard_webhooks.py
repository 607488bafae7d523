"""The reference libraries of Standard Webhooks verify what the service signs, and the receivers what these sign."""

import json
import subprocess
import time
from datetime import UTC, datetime

import httpx
import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from app.jobs.webhooks import new_key
from tests.evenement.test_destinataires import BODY, KEY, RUN, printed, send
from tests.npm import installed
from tests.receiver import Delivery, genuine, receiving

PACKAGE = "standardwebhooks@1.1.1"
CALLS = """
const { Webhook } = require('standardwebhooks')
const call = ([name, key, ...rest]) => {
  if (name === 'sign') return new Webhook(key).sign(rest[0], new Date(rest[1] * 1000), rest[2])
  try { new Webhook(key).verify(rest[0], rest[1]); return true } catch (error) { return error.name }
}
console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map(call)))"""
REFUSED = "WebhookVerificationError"
OTHER = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="  # a signature in the tests of the reference libraries


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """The library for JavaScript: a list of calls gives the list of their results."""
    folder = tmp_path_factory.mktemp("standardwebhooks")
    installed(folder, PACKAGE)

    def answers(*calls):
        done = subprocess.run(
            ["node", "-e", CALLS], cwd=folder, input=json.dumps(calls), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answers


def by_python(key, body, headers):
    try:
        Webhook(key).verify(body, headers)
    except WebhookVerificationError:
        return REFUSED
    return True


def test_the_published_signature_is_made_and_verified(node):
    name, at, body = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'
    published = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert Webhook(KEY).sign(name, datetime.fromtimestamp(at, UTC), body) == published
    assert node(["sign", KEY, name, at, body]) == [published]
    for signature, good in (published, True), (f"{OTHER} v2{OTHER[2:]} {published} {OTHER}", True), (OTHER, False):
        assert genuine(Delivery(name, str(at), signature, body.encode()), [KEY], now=at) is good


def test_both_libraries_verify_what_the_service_signs_with_both_keys(node):
    old, new, foreign = (new_key() for _ in range(3))
    with receiving() as receiver:
        assert send(receiver.url, 7, keys=[new, old]) == [200]
    [sent] = receiver.deliveries
    body = sent.body.decode()
    headers = {"webhook-id": sent.id, "webhook-timestamp": sent.timestamp, "webhook-signature": sent.signature}
    later = {"webhook-timestamp": str(int(sent.timestamp) + 1)}
    cases = [(new, body, {}), (old, body, {}), (foreign, body, {}), (new, f"{body} ", {}), (new, body, later),
             (old, body, {"webhook-id": "evt_8"}), (old, body, {"webhook-signature": OTHER})]  # fmt: skip
    expected = [True, True, *[REFUSED] * 5]
    assert [by_python(key, text, headers | changed) for key, text, changed in cases] == expected
    assert node(*(["verify", key, text, headers | changed] for key, text, changed in cases)) == expected


@pytest.mark.parametrize("language", RUN)
def test_the_printed_receivers_verify_what_the_library_signs(tmp_path, language, node):
    at = int(time.time())
    right, wrong = node(["sign", KEY, "evt_1", at, BODY], ["sign", new_key(), "evt_1", at, BODY])
    with printed(language, tmp_path) as url:
        for signature, status in (
            (right, 204), (f"{wrong} {right}", 204), (f"{OTHER} v2{OTHER[2:]} {right} {OTHER}", 204), (wrong, 401),
            (f"v2{right[2:]}", 401), (f"{right[:-2]}A=", 401), (f"{wrong} {OTHER}", 401),
        ):  # fmt: skip
            headers = {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": signature}
            assert httpx.post(url, content=BODY.encode(), headers=headers).status_code == status, signature
            assert httpx.post(url, content=BODY.encode() + b" ", headers=headers).status_code == 401
