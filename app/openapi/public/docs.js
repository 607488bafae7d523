'use strict'
// Swagger UI exists only in English. This script replaces its words as they appear, but no words of the document. No
// value may equal a key: a replacement triggers the observer again, which would replace forever.
const WORDS = {
  'Authorize': 'Se connecter',
  'Authorized': 'Connecté',
  'Available authorizations': 'Connexion',
  'Logout': 'Oublier le jeton',
  'Close': 'Fermer',
  'Value:': 'Jeton :',
  'Try it out': 'Essayer',
  'Cancel': 'Annuler',
  'Reset': 'Rétablir',
  'Execute': 'Envoyer',
  'Clear': 'Effacer',
  'Parameters': 'Paramètres',
  'No parameters': 'Aucun paramètre',
  'Name': 'Nom',
  'Request body': 'Corps de la requête',
  'Example Value': 'Exemple',
  'Schema': 'Schéma',
  'Schemas': 'Schémas',
  'Edit Value': 'Modifier',
  'Media type': 'Type de contenu',
  'Controls ': 'Fixe l\'en-tête ',
  ' header.': '.',
  'Responses': 'Réponses',
  'Response': 'Réponse',
  'Details': 'Détail',
  'Links': 'Liens',
  'No links': 'Aucun lien',
  'Headers:': 'En-têtes :',
  'Curl': 'Commande curl',
  'Request URL': 'Adresse appelée',
  'Request duration': 'Durée',
  'Server response': 'Réponse du service',
  'Response body': 'Corps de la réponse',
  'Response headers': 'En-têtes de la réponse',
  'Download': 'Télécharger',
  'required': 'obligatoire',
  'Send empty value': 'Envoyer une valeur vide',
  'Default value': 'Valeur par défaut',
  'Available values': 'Valeurs possibles',
  'Loading...': 'Chargement…',
  'LOADING': 'Chargement…',
  'No operations defined in spec!': 'Aucune opération.',
  'Filter by tag': 'Filtrer par groupe',
}
// What Swagger UI does not say to a screen reader. A link inside a button is no link: the button opens the operation.
const ATTRIBUTES = [
  ['.info .title', 'aria-level', 1], ['.opblock-tag, .models h4, .modal-ux h3', 'aria-level', 2],
  ['.opblock h4, .modal-ux h4', 'aria-level', 3], ['.opblock h5', 'aria-level', 4],
  ['.copy-to-clipboard button', 'aria-label', 'Copier'], ['.close-modal', 'aria-label', 'Fermer'],
  ['.auth-btn-wrapper .authorize', 'aria-label', 'Se connecter'], ['#servers', 'aria-label', 'Adresse du service'],
  ['textarea', 'aria-label', 'Corps de la requête'], ['pre, .curl', 'tabindex', 0], ['button a', 'href', null],
  ['.responses-table', 'role', null],
]
const DOCUMENTED = 'pre, code, textarea, .renderedMarkdown, .opblock-tag, .opblock-summary-path, option'
function translate(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    const word = Object.hasOwn(WORDS, node.data) ? node.data : node.data.trim()
    if (Object.hasOwn(WORDS, word) && !node.parentElement?.closest(DOCUMENTED)) node.data = WORDS[word]
  } else if (node.nodeType === Node.ELEMENT_NODE) {
    if (Object.hasOwn(WORDS, node.placeholder ?? '')) node.placeholder = WORDS[node.placeholder]
    for (const [selector, name, value] of ATTRIBUTES) {
      if (node.matches(selector)) value === null ? node.removeAttribute(name) : node.setAttribute(name, value)
    }
    node.childNodes.forEach(translate)
  }
}
new MutationObserver(changes => {
  for (const change of changes) change.type === 'characterData' ? translate(change.target) : change.addedNodes.forEach(translate)
}).observe(document.getElementById('swagger-ui'), { subtree: true, childList: true, characterData: true })
SwaggerUIBundle({
  url: '/docs-json', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', filter: true,
  displayRequestDuration: true, validatorUrl: null, defaultModelsExpandDepth: 0
})
