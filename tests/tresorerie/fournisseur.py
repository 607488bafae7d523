"""A provider that lies: Wave, CinetPay and PI-SPI in one server on the loopback interface, with a book of its own."""

import hashlib
import hmac
import ipaddress
import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from tests import builders
from tests.conftest import ok
from tests.receiver import serving

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
KEY, SIGNS = "cle-du-fournisseur-Zq7", "secret-des-avis-Zq7"
ALIAS = "9b1b2499-3e50-435b-b757-ac7a83d8aa8c"
SIGNED = (
    "cpm_site_id", "cpm_trans_id", "cpm_trans_date", "cpm_amount", "cpm_currency", "signature", "payment_method",
    "cel_phone_num", "cpm_phone_prefixe", "cpm_language", "cpm_version", "cpm_payment_config", "cpm_page_action",
    "cpm_custom", "cpm_designation", "cpm_error_message",
)  # fmt: skip


@dataclass
class Session:
    """A demand as the provider knows it, or a payment without a demand."""

    reference: str | None
    amount: str
    currency: str = "XOF"
    state: str = "open"  # open, paid, refused, expired
    transaction: str | None = None
    fee: str | None = None
    phone: str | None = None
    moment: str = "2020-01-01T10:00:00Z"  # of the payment


class Book:
    """The sessions of a provider, and its answers. A lie waits for each of the next requests."""

    url = "https://fournisseur.example.com"

    def __init__(self, name="cos"):
        self.name = name  # the first part of its identifiers
        self.sessions = {}  # by identifier
        self.calls = []  # method and path
        self.lies = []  # of the next requests, first come, first lied to
        self.lock = threading.RLock()

    def named(self, reference):
        return next((key for key, session in self.sessions.items() if session.reference == reference), None)

    def create(self, reference, amount, currency="XOF", **fields):
        """A reference is an idempotence key: the second demand is the first one."""
        with self.lock:
            key = self.named(reference) if reference else None
            if key is None:
                key = f"{self.name}-{len(self.sessions) + 1}"
                self.sessions[key] = Session(reference, str(amount), currency, **fields)
            return key

    def pay(self, reference, **fields):
        """A customer pays. The transaction is in the provider's book from now on."""
        with self.lock:
            key = self.named(reference) or self.create(reference, fields["amount"])
            fields = {"state": "paid", "transaction": f"T-{key}"} | fields
            self.sessions[key] = replace(self.sessions[key], **fields)
            return key

    def set(self, reference, state):
        self.sessions[self.named(reference)].state = state

    def book(self):
        """Transaction → amount of what is paid."""
        with self.lock:
            return {s.transaction: s.amount for s in self.sessions.values() if s.state == "paid"}

    def count(self, path):
        return sum(call.partition("?")[0].endswith(path) for call in self.calls)

    def sought(self, path, raw):
        """The reference that a request is about."""
        fields = json.loads(raw) if raw.startswith(b"{") else {}
        names = ("client_reference", "transaction_id", "txId")
        given = next((fields[name] for name in names if name in fields), None)
        last = path.path.rpartition("/")[2]
        session = self.sessions.get(last)
        searched = parse_qs(path.query).get("client_reference", [""])[0]
        return given or searched or (session.reference if session else last)

    def answer(self, command, path, query, raw):
        body = json.loads(raw) if raw.startswith(b"{") else {}
        if path == "/jeton":
            return 200, {"access_token": "jeton-oauth-Zq7"}
        if path.startswith("/v1/checkout/sessions"):
            if command == "POST":
                key = self.create(body["client_reference"], body["amount"], body["currency"])
                return 200, self.wave(key)
            if path.endswith("/search"):
                key = self.named(query["client_reference"][0])
                return 200, {"result": [self.wave(key)] if key else []}
            key = path.rpartition("/")[2]
            return (200, self.wave(key)) if key in self.sessions else (404, {"code": "not-found"})
        if path == "/v2/payment":
            self.create(body["transaction_id"], body["amount"], body["currency"])
            return 200, {"code": "201", "message": "CREATED", "data": {"payment_url": f"{self.url}/payer"}}
        if path == "/v2/payment/check":
            key = self.named(body["transaction_id"])
            return (200, self.cinetpay(key)) if key else (404, {"code": "604", "message": "TRANSACTION_NOT_FOUND"})
        if path == "/demandes-paiements":
            self.create(body["txId"], body["montant"], phone=body["payeurAlias"])
            return 200, {"txId": body["txId"], "statut": "ENVOYE", "montant": body["montant"]}
        return self.pispi(path)

    def wave(self, key):
        session = self.sessions[key]
        states = {"open": ("open", "processing"), "paid": ("complete", "succeeded"), "refused": ("open", "cancelled")}
        checkout, payment = states.get(session.state, ("expired", "processing"))
        return {
            "id": key, "client_reference": session.reference, "amount": session.amount, "currency": session.currency,
            "checkout_status": checkout, "payment_status": payment, "transaction_id": session.transaction,
            "fee": session.fee, "wave_launch_url": f"https://pay.wave.com/c/{key}",
            "when_completed": None if session.state != "paid" else session.moment,
        }  # fmt: skip

    def cinetpay(self, key):
        session = self.sessions[key]
        states = {"open": "WAITING_FOR_CUSTOMER", "paid": "ACCEPTED", "refused": "REFUSED", "expired": "EXPIRED"}
        data = {"amount": session.amount, "currency": session.currency, "status": states[session.state]}
        return {"code": "00", "message": "SUCCES", "data": data}

    def pispi(self, path):
        key = self.named(path.rpartition("/")[2])
        session = self.sessions.get(key)
        if session is None or (path.startswith("/paiements/") and session.state != "paid"):
            return 404, {"title": "Not Found"}
        if path.startswith("/paiements/"):
            return 200, {
                "txId": session.reference, "montant": float(session.amount), "statut": "IRREVOCABLE",
                "end2endId": session.transaction, "dateIrrevocabilite": "2020-01-01T10:00:00Z",
            }  # fmt: skip
        states = {"open": "ENVOYE", "paid": "IRREVOCABLE"}
        return 200, {"txId": session.reference, "statut": states.get(session.state, "REJETE"), "statutRaison": "AC06"}


class Provider(Book, ThreadingHTTPServer):
    """Lies, and serves its book."""

    daemon_threads = True

    def __init__(self):
        Book.__init__(self)
        ThreadingHTTPServer.__init__(self, ("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.released = threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self):
        self.serve()

    def do_POST(self):
        self.serve()

    def serve(self):
        provider = self.server
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path)
        with provider.lock:
            provider.calls.append(f"{self.command} {self.path}")
            lie = provider.lies.pop(0) if provider.lies else ""
        status, answer = provider.answer(self.command, path.path, parse_qs(path.query), raw)
        if lie == "before":  # the demand never arrived: nothing is done
            status, answer = 500, {}
        if lie == "late":
            provider.released.wait(20)
        if lie == "500":
            status, answer = 500, {"message": "Internal error"}
        if lie == "401":
            status, answer = 401, {"message": "Unauthorized"}
        if lie == "redirect":
            status = 302
        if lie == "another":
            answer = json.loads(json.dumps(answer).replace(provider.sought(path, raw), "D-UN-AUTRE"))
        content = json.dumps(answer).encode()
        if lie == "10 MB":
            content = json.dumps({"bruit": "x" * 10_000_000} | answer).encode()
        if lie == "html":
            content = b"<html>Maintenance</html>"
        if lie == "deep":
            content = b'{"id": %s}' % (b"[" * 100_000 + b"]" * 100_000)
        if lie == "huge":
            content = b'{"amount": 1e99999999999999999999}'
        if lie == "cut":
            self.close_connection = True
            return
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            if lie == "redirect":
                self.send_header("location", f"{provider.url}/ailleurs")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if lie == "half" else content)
        except OSError:  # the client does not wait
            pass
        self.close_connection = True

    def log_message(self, *_):
        pass


@contextmanager
def providing():
    with serving(Provider()) as provider:
        yield provider
        provider.released.set()


def permit_loopback(http, monkeypatch):
    """The service speaks to providers on this machine."""
    monkeypatch.setattr(http.services, "settings", replace(http.services.settings, webhook_networks=LOOPBACK))


def account(http, provider, kind="WAVE", method="Mobile Money", **fields):
    """The key of an account with a provider, and the address of its notices."""
    names = {"libelle": f"Compte {kind}", "genre": "MOBILE", "fournisseur": kind, "identifiant": ALIAS}
    method = str(builders.moyen(http.db, method))
    made = ok(http.as_admin().post("/tresorerie/comptes", json={**names, "id_moyen": method} | fields), 201)
    return made["id_compte"], keys(http, provider, made["id_compte"])["url_avis"]


def keys(http, provider, number, **fields):
    body = {"cle": KEY, "secret": SIGNS, "identifiant": "site-7", "adresse": provider.url} | fields
    return ok(http.as_admin().put(f"/tresorerie/comptes/{number}/acces", json=body))


def ask(http, number, bill=None, **fields):
    bill = bill or builders.facture(http.db, "1000")
    body = {"id_compte": str(number), "montant": "1000", "id_facture": str(bill)} | fields
    return ok(http.as_admin().post("/tresorerie/demandes", json=body), 201)


def wave_notice(reference, event="ev-1", key=SIGNS, at=None, session=None, type="checkout.session.completed", **data):
    """The body and the headers of a notice of Wave."""
    fields = {"id": session, "client_reference": reference} | data
    body = json.dumps({"id": event, "type": type, "data": fields}).encode()
    moment = str(int(time.time() if at is None else at))
    signature = hmac.new(key.encode(), moment.encode() + body, hashlib.sha256).hexdigest()
    return body, {"wave-signature": f"t={moment},v1={'0' * 64},v1={signature}", "content-type": "application/json"}


def cinetpay_notice(reference, key=SIGNS, **fields):
    fields = {"cpm_site_id": "site-7", "cpm_trans_id": reference, "cpm_amount": "1000", "cpm_currency": "XOF"} | fields
    content = "".join(fields.get(name, "") for name in SIGNED).encode()
    token = hmac.new(key.encode(), content, hashlib.sha256).hexdigest()
    return urlencode(fields).encode(), {"x-token": token, "content-type": "application/x-www-form-urlencoded"}


def pispi_notice(*references, key=SIGNS, end="E2E"):
    events = [{"evCode": "PAIEMENT_RECU", "txId": name, "end2endId": f"{end}-{name}"} for name in references]
    body = json.dumps({"data": events, "meta": {"total": len(events)}}).encode()
    signature = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return body, {"x-signature": signature, "content-type": "application/json"}


def send(http, url, notice):
    body, headers = notice
    return http.send("POST", urlsplit(url).path, content=body, headers=headers)
