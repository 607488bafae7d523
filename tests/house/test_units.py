"""The systemd units have the restrictions that `systemd-analyze security` recommends and Chromium tolerates."""

import pytest
import yaml

from tests.house.rule import ROOT, holds

UNITS = ROOT / "deploiement/systemd"
RESTRICTIONS = {
    "NoNewPrivileges=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "PrivateTmp=yes", "ProtectSystem=strict",
    "ProtectHome=yes", "ProtectProc=invisible", "ProtectClock=yes", "ProtectControlGroups=yes", "ProtectHostname=yes",
    "ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes", "LockPersonality=yes",
    "RemoveIPC=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
    "SystemCallFilter=~@resources", "SystemCallErrorNumber=EPERM", "UMask=0077", "User=comptoir",
}  # fmt: skip


def require_lines(name: str, expected: set[str]) -> None:
    holds(
        "A systemd unit gives the service no right that it does not use.",
        [f"deploiement/systemd/comptoir-{name}.service: {line} is missing" for line in sorted(expected - lines(name))],
        "put the line back; if Chromium cannot work with it, correct tests/house/test_units.py",
    )


def lines(name: str) -> set[str]:
    text = (UNITS / f"comptoir-{name}.service").read_text()
    return {line for line in text.splitlines() if line and not line.startswith("#")}


@pytest.mark.parametrize("name", ["api", "travailleur"])
def test_unit_gives_the_service_no_right_that_it_does_not_use(name: str) -> None:
    expected = RESTRICTIONS - ({"SystemCallFilter=~@resources"} if name == "travailleur" else set())
    require_lines(name, expected)


def test_worker_may_create_no_namespace_and_no_writable_executable_memory() -> None:
    require_lines("travailleur", {
        "PrivateUsers=yes", "RestrictNamespaces=yes", "MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged @resources", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    })  # fmt: skip


def test_worker_has_a_folder_for_the_published_roots() -> None:
    """The rest of the machine is read-only for the worker, in a unit and in a container."""
    require_lines("travailleur", {"StateDirectory=comptoir", "Environment=COMPTOIR_ETAT=/var/lib/comptoir"})
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert "etat:/var/lib/comptoir" in compose["services"]["worker"]["volumes"] and "etat" in compose["volumes"]
    image = (ROOT / "Dockerfile").read_text()
    assert "install --directory --owner=comptoir --mode=0700 /var/lib/comptoir" in image
    assert "COMPTOIR_ETAT=/var/lib/comptoir" in image


def test_every_container_gives_up_its_capabilities() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for name, service in compose["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "cap_add" not in service or name == "postgres", name


def test_the_api_unit_allows_the_sandbox_of_chromium() -> None:
    """Without chroot neither Chromium nor chromium-headless-shell starts its zygote process."""
    unit = lines("api")
    require_lines("api", {"RestrictNamespaces=user pid net", "SystemCallFilter=@system-service chroot"})
    assert not [line for line in unit if line.startswith(("MemoryDenyWriteExecute", "PrivateUsers"))]
