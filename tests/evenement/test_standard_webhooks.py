"""Both reference libraries of Standard Webhooks verify what the service signs.

The receivers of tests/evenement/test_destinataires.py verify what these libraries sign.
"""

import json
import subprocess
from datetime import UTC, datetime

from standardwebhooks.webhooks import Webhook

from app.jobs.webhooks import new_key
from tests.evenement.test_destinataires import KEY, OTHERS, send
from tests.npm import installed
from tests.receiver import receiving

NODE = """const { Webhook } = require('standardwebhooks'), calls = JSON.parse(require('fs').readFileSync(0))
console.log(JSON.stringify(calls.map(([name, key, ...rest]) => {
  if (name === 'sign') return new Webhook(key).sign(rest[0], new Date(rest[1] * 1000), rest[2])
  try { new Webhook(key).verify(...rest); return true } catch (error) { return error.name }
})))"""


def by_python(_, key, body, headers):
    try:
        return bool(Webhook(key).verify(body, headers))
    except Exception as error:
        return type(error).__name__


def test_both_libraries_verify_what_the_service_signs_with_both_keys(tmp_path):
    old, new, foreign = (new_key() for _ in range(3))
    with receiving() as receiver:
        assert send(receiver.url, 7, keys=[new, old]) == [200]
    [sent] = receiver.deliveries
    headers = {"webhook-id": sent.id, "webhook-timestamp": sent.timestamp, "webhook-signature": sent.signature}
    changes = [{"webhook-id": "evt_8"}, {"webhook-timestamp": f"{int(sent.timestamp) + 1}"}]
    changes += [{"webhook-signature": OTHERS[1]}, {"webhook-signature": sent.signature.replace("v1", "v2")}]
    calls = [["verify", key, sent.body.decode(), headers] for key in (old, new, foreign)]
    calls += [["verify", new, f"{sent.body.decode()} ", headers]]
    calls += [["verify", new, sent.body.decode(), headers | change] for change in changes]
    published = ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}']  # in the README of the libraries
    line = ["node", "-e", NODE]
    folder = installed(tmp_path, "standardwebhooks@1.1.1").parent
    calls_of_node = json.dumps([["sign", KEY, *published], *calls]).encode()
    signature, *verdicts = json.loads(subprocess.check_output(line, cwd=folder, input=calls_of_node))
    assert verdicts == [by_python(*call) for call in calls] == [True, True, *["WebhookVerificationError"] * 6]
    name, at, body = published
    assert signature == Webhook(KEY).sign(name, datetime.fromtimestamp(at, UTC), body)
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
