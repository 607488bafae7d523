// The page of a till: it shows what device.stock holds, and records each sale with device.record (appareil.js).
import {Device, inPath, ticketOf} from './appareil.js'

const API = '../api/v1', SHOWN = 60, LATE = 5 * 60_000
const SALES = { // list of what is sold → how a till with a network sells it, and where its answer has the identity
  produits: {path: '/market/ventes', key: 'id_produit', made: 'vente/id_vente', more: {}},
  plats: {path: '/restaurant/commandes', key: 'id_plat', made: 'commande/id_commande', more: {type: 'SUR_PLACE'}}
}
const STATES = {ATTEND: 'attend le réseau', ACCEPTEE: 'arrivé', CONNUE: 'arrivé', EXCEPTION: 'un responsable doit le régler',
  REPRISE: 'repris par un responsable', ABANDONNEE: 'abandonné par un responsable'}
const by = id => document.getElementById(id)
const el = (tag, properties, ...content) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...content)
  return made
}
const button = (onclick, ariaLabel, ...content) => el('button', {type: 'button', onclick, ariaLabel}, ...content)
const plural = (count, one, several) => `${count} ${count > 1 ? several : one}`
const waits = () => plural(device.waiting, 'opération attend', 'opérations attendent')
const device = await Device.open(`${API}/finances/caisses`)
const basket = new Map() // identity → quantity
let selling = false // a sale is being written: a second tap must not sell the basket again
const list = () => Object.keys(device.stock.plats ?? {}).length ? 'plats' : 'produits'
const items = () => Object.values(device.stock[list()] ?? {})

// Amounts are whole hundredths.
const cents = text => Math.round(Number(String(text).replace(/\s/g, '').replace(',', '.')) * 100)
const decimal = amount => (amount / 100).toFixed(2)
const money = amount => {
  const {decimales, devise} = device.state.facts
  return `${(amount / 100).toLocaleString('fr-FR', {minimumFractionDigits: decimales})} ${devise}`
}

/** The lines of the basket and their total. Where prices are without tax, docs/hors-ligne.md says how the tax is added. */
function priced() {
  const facts = device.state.facts, unit = 10 ** (2 - facts.decimales), today = device.now.toLocaleDateString('sv')
  const lines = [...basket].map(([id, quantity]) => {
    const {nom, prix, code_taxe} = device.stock[list()][id]
    return {id, quantity, name: nom, amount: cents(prix) * quantity, code: code_taxe ?? facts.code_taxe}
  })
  const rate = code => {
    const [last] = Object.values(device.stock.taxes ?? {}).filter(tax => tax.code === code && tax.du <= today)
      .sort((one, other) => one.du < other.du ? 1 : -1)
    return last && (last.au ?? today) >= today ? Number(last.taux) : 0
  }
  const bases = {} // what is rounded together: the lines of a code, or one line
  for (const line of facts.prix_ht && facts.assujetti ? lines : [])
    (bases[facts.arrondi_facture ? line.code : line.id] ??= {amount: 0, code: line.code}).amount += line.amount
  const tax = Object.values(bases).reduce((sum, {amount, code}) =>
    sum + Math.round(amount * Math.round(rate(code) * 1000) / (100_000 * unit)) * unit, 0)
  return {lines, tax, total: lines.reduce((sum, line) => sum + line.amount, tax)}
}

function show() {
  const {state, online, halted, waiting, skew} = device
  for (const id of ['till', 'show-history', 'show-device']) by(id).hidden = !state
  by('setup').hidden = Boolean(state)
  const left = waiting ? waits() : ''
  by('network').textContent = !state ? 'Pas encore en service' : halted ? `Arrêtée. ${left}` : online === null ? 'Ouverture…'
    : online ? `En ligne. ${left || 'Tout est envoyé'}` : `Hors ligne. ${left || 'La caisse vend quand même'}`
  const minutes = Math.round(Math.abs(skew) / 60_000)
  by('warning').textContent = halted ? `${halted.message} (${halted.code}) Cette caisse ne vend plus. Ce qui attend reste ici.`
    : Math.abs(skew) < LATE ? '' : `L’horloge de cet appareil ${skew > 0 ? 'retarde' : 'avance'} de ${
      minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} heures`} : réglez-la.`
  if (!state?.facts.devise) return
  if (show.version !== state.version) showProducts()
  show.version = state.version
  showBasket()
}

function showProducts() {
  const words = by('search').value.toLowerCase().split(' ')
  const found = items().filter(({nom, reference, code_barre}) =>
    words.every(word => `${nom} ${reference} ${code_barre}`.toLowerCase().includes(word)))
  by('products').replaceChildren(...found.slice(0, SHOWN).map(item => el('li', {},
    button(() => add(item, 1), null, el('span', {}, item.nom), el('b', {}, money(cents(item.prix)))))))
  if (!found.length) by('products').append(el('li', {}, items().length ? 'Rien de ce nom.' : 'Rien à vendre dans cette caisse.'))
  const kept = by('method').value
  by('method').replaceChildren(...Object.values(device.stock.moyens ?? {}).filter(one => !one.credit)
    .map(one => new Option(one.libelle, one.id_moyen)))
  if (kept) by('method').value = kept
}

function showBasket() {
  for (const id of basket.keys()) if (!device.stock[list()]?.[id]) basket.delete(id)
  const {lines, total} = priced(), given = by('given').value ? cents(by('given').value) : total
  by('lines').replaceChildren(...lines.map(({id, name, amount, quantity}) => el('li', {}, el('span', {}, `${name}, ${money(amount)}`),
    button(() => add(device.stock[list()][id], -1), `Retirer un ${name}`, '−'), el('output', {}, quantity),
    button(() => add(device.stock[list()][id], 1), `Ajouter un ${name}`, '+'))))
  by('total').textContent = by('due').textContent = money(total)
  by('change').textContent = given >= total ? money(given - total) : `manque ${money(total - given)}`
  by('pay').disabled = !lines.length || Boolean(device.halted)
  by('confirm').disabled = selling || by('pay').disabled || !(given >= total)
}

function add(item, more) {
  const id = item[SALES[list()].key], quantity = (basket.get(id) ?? 0) + more
  quantity > 0 ? basket.set(id, quantity) : basket.delete(id)
  showBasket()
}

function scanned(code) {
  const item = items().find(({code_barre, reference}) => code === code_barre || code === reference)
  if (item) add(item, 1)
  by('search').value = item ? '' : code
  showProducts()
}

async function sell() {
  const {path, key, more} = SALES[list()], {lines, tax, total} = priced(), method = by('method')
  const note = {lines, tax, total, title: 'Vente', list: list(), method: method.selectedOptions[0].text,
    given: by('given').value ? cents(by('given').value) : total}
  by('confirm').disabled = selling = true
  const sale = await device.record('POST', path, {
    ...more, lignes: lines.map(({id, quantity}) => ({[key]: id, quantite: String(quantity)})),
    paiement: {montant: decimal(total), id_moyen: method.value}
  }, {note}).finally(() => { selling = false })
  basket.clear()
  by('given').value = by('search').value = ''
  by('payment').close()
  showProducts()
  showBasket()
  showTicket(sale)
}

function showTicket({sent, note, corps}) {
  const row = (className, ...texts) => el('div', {className}, ...texts.map(text => el('span', {}, text)))
  const line = text => el('p', {}, text), rule = () => el('hr')
  by('paper').replaceChildren(line(device.state.facts.organisation), line(`Ticket ${sent.ticket.numero}`),
    line(new Date(sent.instant).toLocaleString('fr-FR')), rule(),
    ...note.lines.map(({quantity, name, amount}) => row('', `${quantity} × ${name}`, money(amount))),
    ...(note.tax ? [row('', 'Taxe', money(note.tax))] : []), rule(), row('sum', 'Total', money(note.total)),
    row('', note.method, money(note.given)), row('', 'Rendu', money(note.given - note.total)), rule(),
    line(corps?.numero ? `Facture ${corps.numero}` : 'La facture portera ce numéro de ticket.'), line('Merci de votre visite'))
  by('ticket').showModal()
}

async function showHistory() {
  const operations = await device.history(), cancelled = new Set(operations.map(one => one.note?.cancels))
  const count = (...states) => operations.filter(one => states.includes(one.etat)).length
  const resolved = count('EXCEPTION') ? await device.resolutions().catch(() => ({})) : {}
  by('summary').textContent = `${plural(count('ATTEND'), 'attend', 'attendent')} le réseau, ${
    plural(count('ACCEPTEE', 'CONNUE'), 'arrivé', 'arrivés')}, ${plural(count('EXCEPTION'), 'exception', 'exceptions')}`
  by('operations').replaceChildren(...operations.map(one => {
    const {id, etat, exception, sent: {ticket, instant}, note = {title: 'Perdu avec le contenu effacé'}} = one
    const state = etat === 'EXCEPTION' && STATES[resolved[id]] ? resolved[id] : etat
    return el('li', {},
      el('p', {className: 'row'}, el('span', {}, ticket.numero), el('span', {}, note.total ? money(note.total) : '')),
      el('p', {}, `${note.title}, ${new Date(instant).toLocaleString('fr-FR')}`),
      el('p', {className: state}, `${STATES[state]}${exception ? ` : ${exception.message} (${exception.code})` : ''}`),
      el('div', {className: 'row'}, ...(note.lines ? [button(() => showTicket(one), null, 'Ticket')] : []),
        ...(note.lines && etat !== 'EXCEPTION' && !cancelled.has(id) ? [button(() => cancel(one), null, 'Annuler')] : [])))
  }))
  if (!by('history').open) by('history').showModal()
}

async function cancel(sale) {
  const motif = prompt(`Pourquoi annuler ${sale.sent.ticket.numero} et rendre ${money(sale.note.total)} ?`)
  if (!motif) return
  const {path, made} = SALES[sale.note.list]
  const note = {title: `Annulation de ${sale.sent.ticket.numero}`, cancels: sale.id, total: -sale.note.total}
  await device.record('POST', `${path}/${inPath(sale, made)}/annuler`, {motif}, {amount: decimal(-sale.note.total), note})
  showHistory()
}

async function showDevice() {
  const {state, waiting} = device, kept = await navigator.storage?.persisted?.()
  const facts = {Appareil: `${state.label} (${state.prefix})`, 'Dernier numéro donné': ticketOf(state, state.sequence),
    'Dernier numéro arrivé': ticketOf(state, state.arrived), 'Attend le réseau': waiting,
    'Stockage protégé': kept ? 'oui' : 'non : ne videz pas le navigateur', 'Version des prix': state.version}
  by('facts').replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))
  by('code').hidden = true
  by('code').textContent = [state.till, state.device, state.key].join('.')
  if (!by('device').open) by('device').showModal()
}

// In service: a person signs in and inscribes the device, or gives the code that a former inscription has shown.
let session
async function ask(method, path, body) {
  const answer = await fetch(`${API}${path}`, {method, body: body && JSON.stringify(body), credentials: 'omit',
    headers: {...(body && {'Content-Type': 'application/json'}), ...(session && {Authorization: `Bearer ${session}`})}})
  const reply = await answer.json()
  if (!answer.ok) throw new Error(reply.details?.[0]?.messages?.[0] ?? reply.message)
  return reply
}
async function install(till, id, key) {
  const state = await device.ask({till, device: id, key}), lost = state.sequence - state.arrived
  const first = ticketOf(state, state.arrived + 1), last = ticketOf(state, state.sequence)
  if (lost && !confirm(`${plural(lost, 'opération annoncée n’est pas arrivée', 'opérations annoncées ne sont pas arrivées')}, de ${
    first} à ${last}. Si un autre appareil ou onglet les a encore, annulez. Sont-elles perdues ?`)) return
  await device.install(state)
  device.send()
}
async function signIn(form) {
  const {code, ...who} = Object.fromEntries(new FormData(form))
  session = undefined
  session = (await ask('POST', '/auth/login', {...who, ...(code && {code})})).accessToken
  const tills = await ask('GET', '/finances/caisses')
  form.reset()
  by('inscribe').till.replaceChildren(...tills.map(till => new Option(till.libelle, till.id_caisse)))
  by('inscribe').hidden = false
}
async function inscribe({till, libelle}) {
  const made = await ask('POST', `/finances/caisses/${till.value}/appareils`, {libelle: libelle.value})
  await install(till.value, made.id_appareil, made.cle)
  by('inscribe').hidden = true
  await showDevice()
  by('code').hidden = false
}

async function watch() {
  const camera = await navigator.mediaDevices.getUserMedia({video: {facingMode: 'environment'}})
  const video = by('video'), detector = new BarcodeDetector()
  video.srcObject = camera
  by('viewer').showModal()
  await video.play()
  while (by('viewer').open) {
    const [code] = await detector.detect(video)
    if (code) { scanned(code.rawValue); by('viewer').close() }
    await new Promise(requestAnimationFrame)
  }
  for (const track of camera.getTracks()) track.stop()
}

const on = (id, event, action) => by(id).addEventListener(event, async happened => {
  happened.preventDefault()
  show() // without the refusal of the action before
  try { await action(by(id)) } catch (error) { by('warning').textContent = error.message }
})
on('sign-in', 'submit', signIn)
on('inscribe', 'submit', inscribe)
on('restore', 'submit', form => install(...form.code.value.trim().split('.')))
on('scan', 'submit', () => scanned(by('search').value.trim()))
on('search', 'input', showProducts)
on('camera', 'click', watch)
on('pay', 'click', () => { by('payment').showModal(); showBasket() })
on('given', 'input', showBasket)
on('settle', 'submit', sell)
on('print', 'click', () => print())
on('show-history', 'click', showHistory)
on('show-device', 'click', showDevice)
on('show-code', 'click', () => { by('code').hidden = false })
on('open-till', 'submit', async form => {
  await device.record('POST', `/finances/caisses/${device.state.till}/ouvrir`, {fond_initial: decimal(cents(form.fond_initial.value))},
    {note: {title: 'Ouverture de la caisse'}})
  by('device').close()
})
on('forget', 'click', async () => {
  if (!confirm(`${device.waiting ? `${waits()} : perdu pour toujours. ` : ''}Oublier cet appareil ?`)) return
  await device.forget()
  by('device').close()
})
for (const one of document.querySelectorAll('.close')) one.onclick = () => one.closest('dialog').close()
addEventListener('keydown', ({key}) => { // a scanner types wherever the focus is
  if (key.length === 1 && device.state && !document.querySelector('dialog[open]')) by('search').focus()
})
by('camera').hidden = !('BarcodeDetector' in window)

// One tab sells. Another one waits until this one is closed; the service refuses two that give the same number.
async function run() {
  device.addEventListener('change', show)
  show()
  await device.start()
  await new Promise(() => {})
}
navigator.serviceWorker?.register('service-worker.js')
if (!navigator.locks) run()
else navigator.locks.request('caisse', {ifAvailable: true}, lock => {
  if (lock) return run()
  by('network').textContent = 'La caisse est ouverte dans un autre onglet.'
  navigator.locks.request('caisse', () => location.reload())
})
