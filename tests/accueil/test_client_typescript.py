"""openapi-typescript generates types from the OpenAPI document, and the TypeScript compiler reports their wrong use."""

import json
import re
from pathlib import Path

from tests.npm import installed, run

ROOT = Path(__file__).parents[2]
[OPENAPI_TYPESCRIPT] = re.findall(r"openapi-typescript@\S*\d", (ROOT / "Makefile").read_text())
[JSON_CLIENT] = re.findall(r"createClient<.*?>\(\)", (ROOT / "docs/api.md").read_text())
PACKAGES = (OPENAPI_TYPESCRIPT, "typescript@5.9.3", "openapi-fetch@0.17.0")
CLIENT_TS = """
import createClient from "openapi-fetch";
import type { components, paths } from "./api";

type Facture = components["schemas"]["FactureDetail"];
type Posted<B> = { post: { requestBody: { content: { "application/json": B } } } };
type Body<P extends keyof paths> = paths[P] extends Posted<infer B> ? B : never;

export const numero = (facture: Facture): string => facture.numero;
export const client = (facture: Facture): string => facture.client_nom ?? "";
export const total = (facture: Facture): number => facture.lignes.reduce((sum, ligne) => sum + Number(ligne.total), 0);
export const login: Body<"/api/v1/auth/login"> = { login: "awa.exemple", mot_de_passe: "motdepasse" };
export const facturer: Body<"/api/v1/facturation/prestations/{id_prestation}/facturer"> = {
  montant: "5000.00", id_moyen: 1, lignes: [{ libelle: "Chaises", prix_unitaire: "500" }],
};
// @ts-expect-error the password is required
export const incomplete: Body<"/api/v1/auth/login"> = { login: "awa.exemple" };
// @ts-expect-error a client's name may be null
export const nullable = (facture: Facture): string => facture.client_nom;

export const noms = async (): Promise<string[]> => {
  const { data } = await json.GET("/api/v1/client/clients");
  return data?.map((ligne) => ligne.nom) ?? [];
};
export const noms_ou_fichier = async (): Promise<string[]> => {
  const { data } = await createClient<paths>().GET("/api/v1/client/clients");
  // @ts-expect-error without the media type, a list may also be the text of a file
  return data?.map((ligne) => ligne.nom) ?? [];
};
"""
OPTIONS = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"]


def test_a_typescript_client_compiles_against_the_generated_types(http, tmp_path):
    tools = installed(tmp_path, *PACKAGES) / ".bin"
    (tmp_path / "api.json").write_text(json.dumps(http.get("/docs-json").json()))
    (tmp_path / "client.ts").write_text(f"{CLIENT_TS}const json = {JSON_CLIENT};\n")
    generated = run(tmp_path, str(tools / "openapi-typescript"), "api.json", "--output", "api.d.ts")
    assert generated.returncode == 0, generated.stderr
    compiled = run(tmp_path, str(tools / "tsc"), *OPTIONS, "api.d.ts", "client.ts")
    assert compiled.returncode == 0, compiled.stdout
