/**
 * The order in which a product runs the nodes of a graph, several of which may be due at once. A state (what is due,
 * what is waited for) is a JSON text, so that states can be compared.
 */
export interface Schedule {
  begin: () => string
  /** the node that is run next; null when the run is over */
  next: (state: string) => string | null
  /** the state after the node was left by an exit */
  leave: (state: string, exit: string) => string
}

/** A node within the order of a run. A node has several places if what follows depends on what else ran. */
export interface Place {
  node: string
  /** the place that each exit leads to; null if the run ends there */
  exits: Map<string, number | null>
}

/** The most states of a graph; beyond them the order is not computed. */
const MAX_STATES = 20_000
/** The most characters of all states together. */
const MAX_TEXT = 20_000_000
const MAX_ROUNDS = 200

/**
 * Serializes parallel branches exactly as the schedule says: nodes that are due run one after the other, and a node
 * that waits for several runs once all have finished.
 * @param exitsOf the exits that a node can be left by
 * @returns the places, the first one first; null if the graph has too many states
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

/** Merges places of one node with the same continuation (Moore's partition refinement, as for minimising automata). */
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
