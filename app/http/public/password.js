'use strict'
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
