/* A till that sells without a network: the protocol of docs/hors-ligne.md in one file, to copy.

  const device = await Device.open('../api/v1/finances/caisses')
  await device.install(await device.ask({till, device, key}))   once, and after the storage was wiped
  device.start()                                                then it sends and reads by itself
  const sale = await device.record('POST', '/market/ventes', {…})
  await device.record('POST', `/market/ventes/${inPath(sale, 'vente/id_vente')}/annuler`, {motif}, {amount: '-500'})

It dispatches `change` whenever something that a page shows has changed. */

const MINUTE = 60_000, LONGEST_ANSWER = 30_000, LOT = 200, KEPT = 500
const LISTS = { // list of what there is to sell → its kind in `disparus`, and the name of its identity
  produits: ['PRODUIT', 'id_produit'], plats: ['PLAT', 'id_plat'], vetements: ['VETEMENT', 'id_type_vetement'],
  prestations: ['PRESTATION', 'id_prestation'], taxes: ['TAXE', 'id_taxe'], moyens: ['MOYEN', 'id_moyen'],
  clients: ['CLIENT', 'id_client']
}

/** What an earlier operation has made, by its name in the answer: in a body, and in a path. */
export const inBody = (operation, name) => ({$ref: `${operation.id}/${name}`})
export const inPath = (operation, name) => `{${operation.id}/${name}}`

export const ticketOf = ({prefix}, sequence) => `${prefix}-${String(sequence).padStart(6, '0')}`

const result = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

class Refused extends Error { // an answer that another attempt does not change
  constructor(status, body) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.expected = Number(body.details?.attendue)
  }
}

export class Device extends EventTarget {
  state = null // what the device is: till, key, numbers, version and facts of what there is to sell
  stock = {} // list → identity → row
  online = null // whether the last exchange succeeded; null before the first
  halted = null // {code, message} of a refusal after which the device sends nothing more
  skew = 0 // milliseconds by which the clock of the server is ahead
  #seen = 0 // the clock of the server at the last answer
  #pause = 0
  #lot = LOT

  static async open(base, name = 'caisse') {
    const opening = indexedDB.open(name, 1)
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('state')
      opening.result.createObjectStore('operations', {keyPath: 'sequence'})
      opening.result.createObjectStore('stock', {keyPath: ['list', 'id']})
    }
    const device = new Device()
    device.base = base
    device.db = await result(opening)
    const [state, rows] = await device.#transaction('readonly', (states, _, stock) =>
      Promise.all([result(states.get('device')), result(stock.getAll())]))
    device.state = state ?? null
    device.#fill(rows)
    return device
  }

  /** Run the body in one transaction: all that it writes is written, or nothing. It awaits only requests of its stores. */
  async #transaction(mode, body) {
    const transaction = this.db.transaction(['state', 'operations', 'stock'], mode, {durability: 'strict'})
    const committed = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    const work = async () => body(...['state', 'operations', 'stock'].map(name => transaction.objectStore(name)))
    const abort = error => { transaction.abort(); throw error }
    return (await Promise.all([work().catch(abort), committed]))[0]
  }

  /** What the server knows of this device: its prefix, what arrived, and what was announced. */
  async ask({till, device, key}) {
    const known = await this.#call({till, key}, 'GET', `/appareils/${device}`)
    const [arrived, announced] = [known.derniere_sequence, known.sequence_annoncee].map(Number)
    return {till, device, key, prefix: known.prefixe, label: known.libelle, arrived,
      sequence: Math.max(arrived, announced), version: '0', facts: {}, seen: this.#seen}
  }

  /** Be this device. What it has announced and lost is declared, so that a person looks at it. */
  async install(state) {
    await navigator.storage?.persist?.()
    await this.#transaction('readwrite', (states, operations, stock) => {
      operations.clear()
      stock.clear()
      for (let sequence = state.arrived + 1; sequence <= state.sequence; sequence++)
        operations.add(this.#operation(state, sequence, {}))
      states.put(state, 'device')
    })
    this.stock = {}
    this.halted = null
    this.#changed(state)
  }

  /** Forget the device, with what waits. */
  async forget() {
    await this.#transaction('readwrite', (...stores) => stores.forEach(store => store.clear()))
    this.#changed(null)
  }

  /** A battery that was empty sets a clock back by years; the server was seen later than that. */
  #now(state) { return new Date(Math.max(Date.now(), state?.seen ?? 0)) }
  get now() { return this.#now(this.state) }

  #operation(state, sequence, {methode, chemin, corps, refs, version, amount, note}) {
    const ticket = {numero: ticketOf(state, sequence), version, montant: amount}
    const sent = {sequence, id: crypto.randomUUID(), instant: this.#now(state).toISOString(), methode, chemin, corps, refs, ticket}
    return {sequence, id: sent.id, sent, note, etat: 'ATTEND'}
  }

  /** Write an operation and its number, in one transaction; print afterwards. `refs` are operations that it depends on,
   * `amount` is the money that enters the till where the body does not say it, `note` stays on the device. */
  async record(methode, path, corps, {refs, amount, note} = {}) {
    if (this.halted) throw new Error(this.halted.message)
    const {version} = this.state // of the prices that the page has shown
    const fields = {methode, chemin: `/api/v1${path}`, corps, refs: refs?.map(one => one.id), version, amount, note}
    const [state, operation] = await this.#transaction('readwrite', async (states, operations) => {
      const state = await result(states.get('device')) // another tab may have given a number
      state.sequence += 1
      const operation = this.#operation(state, state.sequence, fields)
      operations.add(operation)
      states.put(state, 'device')
      return [state, operation]
    })
    this.#changed(state)
    this.send()
    return operation
  }

  /** The last operations, the newest first. */
  async history() {
    return (await this.#transaction('readonly', (_, operations) => result(operations.getAll()))).reverse()
  }

  /** What became of the exceptions of the till: identity → OUVERTE, REPRISE or ABANDONNEE. */
  async resolutions() {
    const exceptions = await this.#call(this.state, 'GET', '/exceptions')
    return Object.fromEntries(exceptions.map(one => [one.id_operation, one.statut]))
  }

  get waiting() { return this.state ? this.state.sequence - this.state.arrived : 0 }

  /** Send what waits and read what there is to sell: now, when the network comes back, and each minute. */
  start() {
    addEventListener('online', () => this.send())
    addEventListener('offline', () => this.#changed(this.state, false))
    return this.send()
  }

  async send() {
    if (this.sending || this.halted || !this.state) return
    this.sending = true
    clearTimeout(this.timer)
    let online = true
    try {
      do await this.#sendLot()
      while (this.waiting)
      await this.#read()
      this.#pause = 0
      this.#lot = LOT
    } catch (error) {
      online = error instanceof Refused
      if (online) this.halted = {code: error.code, message: error.message}
      this.#pause = Math.min(2 * this.#pause || 1000, MINUTE)
    }
    this.sending = false
    if (!this.halted) this.timer = setTimeout(() => this.send(), this.#pause || (this.waiting ? 0 : MINUTE))
    this.#changed(this.state, online)
  }

  /** Send the operations after the last one that arrived. A lot without any announces the last number. */
  async #sendLot() {
    const {arrived, sequence, device} = this.state
    const after = IDBKeyRange.lowerBound(arrived, true)
    const lot = await this.#transaction('readonly', (_, operations) => result(operations.getAll(after, this.#lot)))
    if (lot.length && lot[0].sequence !== arrived + 1)
      throw new Refused(409, {message: `Le service attend l’opération ${arrived + 1}, que cet appareil n’a plus.`})
    const body = {id_appareil: device, operations: lot.map(one => one.sent), derniere_sequence: sequence}
    try {
      const {operations: answers} = await this.#call(this.state, 'POST', '/lots', body)
      const done = lot.map((one, place) => ({...one, ...answers[place], sequence: one.sequence}))
      if (lot.length) await this.#arrive(done, lot.at(-1).sequence)
    } catch (error) {
      if (error.code === 'SEQUENCE_MANQUANTE' && error.expected <= arrived) await this.#arrive([], error.expected - 1)
      else if (error.status === 409 && lot.length > 1) this.#lot = 1 // those before the refused one then have answers
      else if (error.status === 413 && lot.length > 1) this.#lot = lot.length >> 1
      else throw error
    }
  }

  /** Keep the answers, and that every operation up to this one has arrived. */
  async #arrive(done, arrived) {
    this.#changed(await this.#transaction('readwrite', async (states, operations) => {
      const state = {...await result(states.get('device')), arrived, seen: this.#seen}
      for (const one of done) operations.put(one)
      operations.delete(IDBKeyRange.upperBound(arrived - KEPT))
      states.put(state, 'device')
      return state
    }))
  }

  /** Read what there is to sell, or what changed since the version that the device has. */
  async #read() {
    const {version, complet, disparus, ...rest} = await this.#call(this.state, 'GET', `/fonds?depuis=${this.state.version}`)
    const rows = Object.entries(LISTS).flatMap(([list, [, name]]) => rest[list].map(row => ({list, id: row[name], row})))
    const gone = disparus.map(({genre, id}) => [Object.keys(LISTS).find(list => LISTS[list][0] === genre), id])
    const facts = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in LISTS)))
    const state = await this.#transaction('readwrite', async (states, _, stock) => {
      const state = {...await result(states.get('device')), version, facts, seen: this.#seen}
      if (complet) stock.clear()
      for (const row of rows) stock.put(row)
      for (const key of gone) stock.delete(key)
      states.put(state, 'device')
      return state
    })
    if (complet) this.stock = {}
    for (const [list, id] of gone) delete this.stock[list]?.[id]
    this.#fill(rows)
    this.#changed(state)
  }

  #fill(rows) {
    for (const {list, id, row} of rows) (this.stock[list] ??= {})[id] = row
  }

  #changed(state, online = this.online) {
    this.state = state
    this.online = online
    this.dispatchEvent(new Event('change'))
  }

  async #call({till, key}, method, path, body) {
    const answer = await fetch(`${this.base}/${till}${path}`, {
      method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(LONGEST_ANSWER), cache: 'no-store',
      headers: {Authorization: `Bearer ${key}`, ...(body && {'Content-Type': 'application/json'})}
    })
    this.#seen = Date.parse(answer.headers.get('Date')) || 0
    this.skew = this.#seen && this.#seen - Date.now()
    if (answer.ok) return answer.json()
    const refusal = await answer.json() // a page of a proxy throws here, and is asked again
    throw answer.status === 429 || answer.status >= 500 ? new Error(refusal.message) : new Refused(answer.status, refusal)
  }
}
