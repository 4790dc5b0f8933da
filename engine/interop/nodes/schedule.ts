/**
 * In which order a product runs the nodes of a graph, of which several may be due at once. A state is a JSON text, so that two of them
 * can be compared: what is yet to be run, and what is being waited for.
 */
export interface Schedule {
  begin: () => string
  /** the node that is run next; null when the run is over */
  next: (state: string) => string | null
  /** the state after that node was left by an exit */
  leave: (state: string, exit: string) => string
}

/** A node in the order of one run. Where what follows depends on what else ran, a node stands in several places. */
export interface Place {
  node: string
  /** the place that each exit leads to; null when the run is over then */
  exits: Map<string, number | null>
}

/** More states than any drawing needs that a person made: beyond, the order is not worked out. */
const MAX_STATES = 20_000
/** Characters of all states together. */
const MAX_TEXT = 20_000_000
const MAX_ROUNDS = 200

/**
 * Brings what may run side by side into one order, exactly as the schedule says: nodes that are due are run one after the other, a node that
 * waits for several is run once all have come.
 * @param exitsOf the exits that a node can be left by
 * @returns the places, the first one first; null for a graph that branches beyond all bounds
 */
export function orderOf(
  schedule: Schedule,
  exitsOf: (node: string) => readonly string[],
  nodes: number,
): Place[] | null {
  const numbers = new Map<string, number>()
  const places: Place[] = []
  const open: string[] = []
  let text = 0
  const most = Math.min(MAX_STATES, 4 * nodes + 50)
  /** null: over; undefined: too many */
  function numberOf(state: string): number | null | undefined {
    const node = schedule.next(state)
    if (node === null) return null
    const known = numbers.get(state)
    if (known !== undefined) return known
    text += state.length
    if (places.length === most || text > MAX_TEXT) return undefined
    numbers.set(state, places.length)
    places.push({ node, exits: new Map() })
    open.push(state)
    return places.length - 1
  }
  if (numberOf(schedule.begin()) === null) return []
  for (const [at, state] of open.entries()) {
    const place = places[at]
    if (!place) break
    for (const exit of exitsOf(place.node)) {
      const next = numberOf(schedule.leave(state, exit))
      if (next === undefined) return null
      place.exits.set(exit, next)
    }
  }
  return merged(places)
}

/** Places of one node that go on alike are one place (the partition that Moore refines to minimise an automaton). */
function merged(places: Place[]): Place[] {
  if (new Set(places.map(({ node }) => node)).size === places.length) return places
  let classes = classesBy(places, ({ node }) => node)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const known = classes
    const finer = classesBy(places, ({ node, exits }, at) =>
      JSON.stringify([known[at], node, [...exits].map(([exit, to]) => [exit, to === null ? null : known[to]])]),
    )
    if (new Set(finer).size === new Set(known).size) return onePerClass(places, known)
    classes = finer
  }
  return places
}

function classesBy(places: Place[], keyOf: (place: Place, at: number) => string): number[] {
  const keys = new Map<string, number>()
  return places.map((place, at) => {
    const key = keyOf(place, at)
    const known = keys.get(key) ?? keys.size
    keys.set(key, known)
    return known
  })
}

function onePerClass(places: Place[], classes: number[]): Place[] {
  const kept: Place[] = []
  for (const [at, { node, exits }] of places.entries()) {
    const number = classes[at] ?? 0
    if (number !== kept.length) continue
    kept.push({
      node,
      exits: new Map([...exits].map(([exit, to]) => [exit, to === null ? null : (classes[to] ?? null)])),
    })
  }
  return kept
}
