"""admin: the first account, and the password that no service may run with."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys

from app import schema
from app.auth.passwords import check_password_rule, hash_password, verify_password
from app.commands.place import database
from app.settings import DEVELOPMENT_PASSWORD, Settings, SettingsError

DEVELOPMENT_LOGIN = "admin"


def admin(settings: Settings, arguments: argparse.Namespace) -> int:
    """Create the first administrator, with a password asked for on the terminal."""
    password = os.environ.get("COMPTOIR_MOT_DE_PASSE")
    if not password:
        if not sys.stdin.isatty():
            raise SettingsError("COMPTOIR_MOT_DE_PASSE manque : sans terminal, donnez-lui le mot de passe.")
        password = getpass.getpass("Mot de passe (8 caractères au moins) : ")
    with database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
        if not first_administrator(url, arguments.login, password):
            raise SettingsError("Il y a déjà des utilisateurs : créez les autres par l'API.")
    print(f"Administrateur {arguments.login} créé.")
    return 0


def first_administrator(url: str, login: str, password: str) -> bool:
    if wrong := check_password_rule(password):
        raise SettingsError(wrong)
    with schema.connect(url, 30.0) as connection:
        if connection.execute("select 1 from auth.utilisateur limit 1").fetchone():
            return False
        hashed = asyncio.run(hash_password(password))
        row = connection.execute("select auth.administrateur_initialiser(%s, %s)", [login, hashed]).fetchone()
    return bool(row and row[0])


def refuse_development_password(url: str) -> None:
    with schema.connect(url, 30.0) as connection:
        row = connection.execute(
            "select mot_de_passe from auth.identifiants(%s) where actif", [DEVELOPMENT_LOGIN]
        ).fetchone()
    if row and asyncio.run(verify_password(DEVELOPMENT_PASSWORD, row[0])):
        raise SettingsError(
            f"Le compte « {DEVELOPMENT_LOGIN} » porte encore le mot de passe de développement : changez-le d'abord."
        )
