// Keeps the files of the page, so that it opens without a network. The service adds a line with the hash of all files:
// a new version is installed whole, and serves from the next visit on.
const FILES = ['./', 'caisse.css', 'caisse.js', 'appareil.js', 'manifest.webmanifest', 'icone.svg']

addEventListener('install', event => {
  skipWaiting()
  event.waitUntil(caches.open('caisse').then(cache => cache.addAll(FILES.map(file => new Request(file, {cache: 'reload'})))))
})
addEventListener('activate', event => event.waitUntil(clients.claim()))
addEventListener('fetch', event => {
  if (event.request.url.startsWith(registration.scope))
    event.respondWith(caches.match(event.request, {ignoreSearch: true}).then(kept => kept ?? fetch(event.request)))
})
