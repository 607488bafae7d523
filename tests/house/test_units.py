"""The systemd units are fenced in as `systemd-analyze security` asks, as far as Chromium lets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.rule import holds

UNITS = Path(__file__).parents[2] / "deploiement/systemd"
FENCE = {
    "NoNewPrivileges=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "PrivateTmp=yes", "ProtectSystem=strict",
    "ProtectHome=yes", "ProtectProc=invisible", "ProtectClock=yes", "ProtectControlGroups=yes", "ProtectHostname=yes",
    "ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes", "LockPersonality=yes",
    "RemoveIPC=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
    "SystemCallFilter=~@resources", "SystemCallErrorNumber=EPERM", "UMask=0077", "User=comptoir",
}  # fmt: skip


def fenced(name: str, wanted: set[str]) -> None:
    holds(
        "A systemd unit gives the service nothing that it does not use.",
        [f"deploiement/systemd/comptoir-{name}.service: {line} is missing" for line in sorted(wanted - lines(name))],
        "put the line back; where Chromium cannot work with it, say so in tests/house/test_units.py",
    )


def lines(name: str) -> set[str]:
    text = (UNITS / f"comptoir-{name}.service").read_text()
    return {line for line in text.splitlines() if line and not line.startswith("#")}


@pytest.mark.parametrize("name", ["api", "travailleur"])
def test_unit_gives_the_service_nothing_that_it_does_not_use(name: str) -> None:
    wanted = FENCE - ({"SystemCallFilter=~@resources"} if name == "travailleur" else set())
    fenced(name, wanted)


def test_worker_makes_no_namespace_and_maps_nothing_that_it_writes_and_executes() -> None:
    fenced("travailleur", {
        "PrivateUsers=yes", "RestrictNamespaces=yes", "MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged @resources", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    })  # fmt: skip


def test_chromium_s_own_sandbox_can_be_made_by_the_api() -> None:
    """Tried: without chroot neither Chromium nor chromium-headless-shell starts its zygote."""
    found = lines("api")
    fenced("api", {"RestrictNamespaces=user pid net", "SystemCallFilter=@system-service chroot"})
    assert not [line for line in found if line.startswith(("MemoryDenyWriteExecute", "PrivateUsers"))]
