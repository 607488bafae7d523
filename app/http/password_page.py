"""The page behind the link of an e-mail: the holder of the token chooses a password.

The token is in the fragment (`#`) of the address, which browsers do not send to servers. The Content-Security-Policy
allows only resources of this service.
"""

from __future__ import annotations

from starlette.routing import BaseRoute

from app.base.settings import PASSWORD_PAGE
from app.http.text import text_route

_PAGE = """<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Choisir un mot de passe</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="mot-de-passe/page.css">
</head>
<body>
<main>
<h1 id="titre" tabindex="-1">Choisir un mot de passe</h1>
<noscript><p>Cette page a besoin de JavaScript : autorisez-le pour cette adresse, puis rechargez-la.</p></noscript>
<form id="formulaire" hidden novalidate>
<label for="nouveau">Nouveau mot de passe</label>
<input id="nouveau" type="password" autocomplete="new-password" autocapitalize="none" spellcheck="false"
  required aria-describedby="aide probleme">
<p id="aide">8 caractères au moins ; plusieurs mots valent mieux qu’un mot compliqué.</p>
<p class="montrer"><input id="montrer" type="checkbox"> <label for="montrer">Montrer le mot de passe</label></p>
<p id="probleme" role="alert"></p>
<button id="enregistrer">Enregistrer</button>
</form>
<p id="issue" role="status"></p>
</main>
<script src="mot-de-passe/page.js"></script>
</body>
</html>
"""
_SCRIPT = """'use strict'
const by = id => document.getElementById(id)
const token = new URLSearchParams(location.hash.slice(1)).get('jeton')
const field = by('nouveau'), form = by('formulaire'), problem = by('probleme'), button = by('enregistrer')

function end(title, text) {
  form.hidden = true
  by('titre').textContent = document.title = title
  by('issue').textContent = text
  by('titre').focus()
}

function refuse(text) {
  problem.textContent = text
  field.setAttribute('aria-invalid', 'true')
  field.focus()
}

async function save(event) {
  event.preventDefault()
  problem.textContent = ''
  field.removeAttribute('aria-invalid')
  if (!field.value) return refuse('Écrivez le mot de passe que vous choisissez.')
  button.disabled = true
  try {
    const answer = await fetch('api/v1/auth/reinitialiser-mot-de-passe', {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({jeton: token, nouveau_mot_de_passe: field.value}),
      credentials: 'omit'
    })
    const reply = await answer.json()
    if (answer.ok) {
      field.value = ''
      history.replaceState(null, '', location.pathname)
      end('Mot de passe enregistré', 'Vous pouvez fermer cette page et vous connecter avec ce mot de passe.')
    } else if (reply.code === 'JETON_INVALIDE') {
      end('Ce lien n’est plus valable',
        'Il a déjà servi, ou son délai est passé. Demandez-en un nouveau par « Mot de passe oublié ».')
    } else {
      refuse(reply.details ? reply.details[0].messages[0] : reply.message)
    }
  } catch {
    refuse('Le service ne répond pas : vérifiez votre connexion, puis réessayez.')
  } finally {
    button.disabled = false
  }
}

if (token) {
  form.hidden = false
  form.addEventListener('submit', save)
  by('montrer').addEventListener('change', event => { field.type = event.target.checked ? 'text' : 'password' })
  field.focus()
} else {
  end('Ce lien est incomplet', 'Ouvrez-le depuis l’e-mail, ou copiez-le en entier dans la barre d’adresse.')
}
"""
_STYLE = """:root { color-scheme: light dark; --texte: #1c2430; --fond: #f4f6f9; --carte: #fff; --fort: #1f4e79;
        --erreur: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --texte: #e8ecf2; --fond: #12161c; --carte: #1c2430; --fort: #8fc0ee; --erreur: #ff9b93 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 1rem; display: grid; place-items: center; background: var(--fond);
       color: var(--texte); font: 1.0625rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem; padding: 1.5rem; border-radius: .75rem; background: var(--carte) }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.25; color: var(--fort); outline: none }
[hidden] { display: none }
label { font-weight: 600 }
.montrer label { font-weight: 400 }
#nouveau { width: 100%; margin-top: .25rem; padding: .7rem; font: inherit; color: inherit; background: transparent;
           border: 1px solid currentColor; border-radius: .4rem }
#nouveau[aria-invalid] { border-color: var(--erreur) }
#aide { margin: .35rem 0; font-size: .9rem }
.montrer { display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; margin: 0 }
.montrer input { width: 1.25rem; height: 1.25rem }
#probleme { margin: 0; color: var(--erreur) }
#probleme:not(:empty) { margin: .5rem 0 }
button { width: 100%; min-height: 2.75rem; margin-top: .5rem; font: inherit; font-weight: 600; color: var(--carte);
         background: var(--fort); border: 0; border-radius: .4rem }
:focus-visible { outline: 3px solid var(--fort); outline-offset: 2px }
"""
_POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def routes() -> list[BaseRoute]:
    return [
        text_route(PASSWORD_PAGE, _PAGE.encode(), "text/html", _POLICY),
        text_route(f"{PASSWORD_PAGE}/page.js", _SCRIPT.encode(), "text/javascript"),
        text_route(f"{PASSWORD_PAGE}/page.css", _STYLE.encode(), "text/css"),
    ]
