"""The reference libraries of Standard Webhooks verify what the service signs, and the receivers what these sign."""

import json
import subprocess
import time
from datetime import UTC, datetime

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from app.jobs.webhooks import new_key
from tests.evenement.test_destinataires import BODY, KEY, RUN, printed, send
from tests.npm import installed
from tests.receiver import Delivery, genuine, receiving

NODE = """const { Webhook } = require('standardwebhooks'), calls = JSON.parse(require('fs').readFileSync(0))
console.log(JSON.stringify(calls.map(([name, key, ...rest]) => {
  if (name === 'sign') return new Webhook(key).sign(rest[0], new Date(rest[1] * 1000), rest[2])
  try { new Webhook(key).verify(...rest); return true } catch (error) { return error.name }
})))"""
REFUSED = "WebhookVerificationError"
OTHERS = [
    f"{version},Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=" for version in ("v1", "v2")
]  # of the libraries' tests


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """The library for JavaScript: a list of calls gives the list of their results."""
    folder = installed(tmp_path_factory.mktemp("npm"), "standardwebhooks@1.1.1").parent
    line = ["node", "-e", NODE]
    return lambda *calls: json.loads(subprocess.check_output(line, cwd=folder, input=json.dumps(calls).encode()))


def by_python(_, key, body, headers):
    try:
        return bool(Webhook(key).verify(body, headers))
    except Exception as error:
        return type(error).__name__


def test_the_published_signature_is_made_and_verified(node):
    name, at, body = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'
    published = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert [Webhook(KEY).sign(name, datetime.fromtimestamp(at, UTC), body)] == [published]
    assert node(["sign", KEY, name, at, body]) == [published]
    for signature, good in (published, True), (" ".join([*OTHERS, published, *OTHERS]), True), (OTHERS[0], False):
        assert genuine(Delivery(name, str(at), signature, body.encode()), [KEY], now=at) is good


def test_both_libraries_verify_what_the_service_signs_with_both_keys(node):
    old, new, foreign = (new_key() for _ in range(3))
    with receiving() as receiver:
        assert send(receiver.url, 7, keys=[new, old]) == [200]
    [sent] = receiver.deliveries
    headers = {"webhook-id": sent.id, "webhook-timestamp": sent.timestamp, "webhook-signature": sent.signature}
    changes = [{"webhook-id": "evt_8"}, {"webhook-timestamp": f"{int(sent.timestamp) + 1}"}]
    changes += [{"webhook-signature": OTHERS[0]}, {"webhook-signature": sent.signature.replace("v1", "v2")}]
    calls = [["verify", key, sent.body.decode(), headers] for key in (old, new, foreign)]
    calls += [["verify", new, f"{sent.body.decode()} ", headers]]
    calls += [["verify", new, sent.body.decode(), headers | change] for change in changes]
    assert node(*calls) == [by_python(*call) for call in calls] == [True, True, *[REFUSED] * 6]


@pytest.mark.parametrize("language", RUN)
def test_the_printed_receivers_verify_what_the_library_signs(tmp_path, language, node):
    at = int(time.time())
    right, wrong = node(["sign", KEY, "evt_1", at, BODY], ["sign", new_key(), "evt_1", at, BODY])
    refused = [wrong, right.replace("v1", "v2"), right.swapcase(), " ".join([wrong, *OTHERS])]
    with printed(language, tmp_path) as url:
        for signature in (right, f"{wrong} {right}", " ".join([*OTHERS, right, *OTHERS]), *refused):
            headers = {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": signature}
            answers = [
                httpx.post(url, content=text.encode(), headers=headers).status_code for text in (BODY, BODY + " ")
            ]
            assert answers == [401 if signature in refused else 204, 401], signature
