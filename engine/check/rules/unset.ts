import type { Diagnostic, PathStep, Reason } from '../diagnostic'
import { type Exit, type FlowGraph, type Node, role } from '../graph'
import { type ProblemCode, type ReasonCode, reasonTexts } from '../texts'
import { byPlace, type Entrance } from './entrances'
import { createFeasibility, type Leg } from './feasible'
import type { Reach } from './reach'
import { report } from './report'
import { givenByVisits } from './visits'

/** What an exit is assumed to set: what is certain, or what is set if visitors answer in the end. */
type Trust = 'assures' | 'hopes'

/**
 * Reports variables that a block needs and that may be unset when it is entered. Considered are variables without an
 * initial value; comparing a variable shows that it may be unset, so a comparison is no need. Each variable is reported
 * at the nearest such block; once that is fixed, at the next one.
 */
export function checkUnset(
  graph: FlowGraph,
  met: Reach,
  entrances: readonly Entrance[],
  isWhole: boolean,
): Diagnostic[] {
  const { needed, writers } = neededVariables(graph, met)
  if (needed.size === 0) return []
  const found: Diagnostic[] = []
  const tracked = new Map<string, Node[]>()
  for (const [id, readers] of needed) {
    const isGiven = entrances.some(({ given }) => given?.includes(id))
    if (writers.has(id) || isGiven) tracked.set(id, readers)
    // in a called flow, callers are expected to set what it never sets itself
    else if (isWhole) {
      const { view } = readers.reduce((a, b) => (byPlace(b, a) < 0 ? b : a))
      found.push(report('variable-never-set', { groupId: view.groupId, blockId: view.id, variableId: id }))
    }
  }
  const ways = waysOf(graph, met, entrances)
  const feasible = createFeasibility(graph, ways)
  /** @returns those for which no feasible path leaves them unset */
  const tell = (code: ProblemCode, ids: readonly string[], trust: Trust): string[] =>
    ids.filter((id) => {
      const way = takenWay(wayWithout(id, entrances, ways, trust, tracked.get(id) ?? []), id, trust)
      const last = way?.at(-1)?.node.view
      if (!way || !last) return true
      const place = { groupId: last.groupId, blockId: last.id, variableId: id }
      found.push(report(code, place, { reason: reasonOf(id, way) }))
      return false
    })
  /** The shortest path, or the shortest feasible one. */
  const takenWay = (way: Leg[] | null, id: string, trust: Trust): Leg[] | null => {
    const beginning = entrances.find(({ node, given }) => given && !given.includes(id) && node === way?.[0]?.node)
    if (!way || feasible.holds(way, beginning?.given ?? null)) return way
    const starts = entrances.flatMap(({ node, given }) =>
      given && !given.includes(id) ? [{ at: node.index, given }] : [],
    )
    const readers = new Set(tracked.get(id)?.map(({ index }) => index))
    return (
      feasible.search(
        starts,
        (at) => readers.has(at),
        (exit) => !exit[trust].includes(id),
      ) ?? null
    )
  }
  const unsure = readUnset([...tracked.keys()], tracked, entrances, ways, 'assures')
  const always = readUnset(unsure, tracked, entrances, ways, 'hopes')
  const untold = tell('variable-may-be-unset', always, 'hopes')
  tell(
    'variable-unset-if-invalid',
    unsure.filter((id) => !always.includes(id) || untold.includes(id)),
    'assures',
  )
  return found
}

/** The last block on the path that could have set it, and how it was left; otherwise the path itself. */
function reasonOf(id: string, way: readonly Leg[]): Reason {
  const missed = way.findLast(({ node, exit }) => exit && node.facts.writes.includes(id))
  const portId = missed?.exit?.port?.id
  if (!missed || portId === undefined || !isReason(portId)) return { because: 'way', steps: stepsOf(way) }
  if (portId === 'invalid') return { because: 'invalid', times: attemptsOf(missed.node) }
  return { because: portId, blockId: missed.node.view.id }
}

const isReason = (portId: string): portId is ReasonCode => Object.hasOwn(reasonTexts, portId) && portId !== 'way'

/** Every input kind has this field (engine/flow/inputFields.ts). */
function attemptsOf({ facts }: Node): number {
  const { attempts } = facts.data as { attempts?: unknown }
  return typeof attempts === 'number' ? attempts : 1
}

/** A step for each group left and each exit with a name. */
function stepsOf(way: readonly Leg[]): PathStep[] {
  const steps: PathStep[] = []
  for (const { node, exit } of way.toReversed()) {
    const { groupId, id: blockId } = node.view
    const named = exit?.port?.label === undefined ? undefined : exit.port.id
    if (steps.length === 0 || named !== undefined || steps[0]?.groupId !== groupId)
      steps.unshift({ groupId, blockId, ...(named !== undefined && { portId: named }) })
  }
  return steps
}

/** The blocks that need each variable without an initial value, and all variables that any block sets. */
function neededVariables(graph: FlowGraph, met: Reach) {
  const { variableIds } = graph
  const unset = new Set(graph.view.variables.flatMap(({ id, value }) => (value === null ? [id] : [])))
  const startsUnset = variableIds.map((id) => unset.has(id))
  const isWritten = new Uint8Array(variableIds.length)
  const readersOf: (Node[] | undefined)[] = new Array(variableIds.length).fill(undefined)
  const needed = new Map<string, Node[]>()
  for (const node of met.nodes) {
    for (const variable of node.writes) isWritten[variable] = 1
    for (const variable of node.needs) {
      if (!startsUnset[variable]) continue
      const readers = readersOf[variable]
      if (readers) {
        if (readers[readers.length - 1] !== node) readers.push(node)
        continue
      }
      const own = [node]
      readersOf[variable] = own
      needed.set(variableIds[variable] as string, own)
    }
  }
  return { needed, writers: new Set(variableIds.filter((_, variable) => isWritten[variable])) }
}

/** The edges between blocks, including those of interrupting intents. */
function waysOf(graph: FlowGraph, met: Reach, entrances: readonly Entrance[]) {
  const { nodes, first, target } = met
  const visits = givenByVisits(met.nodes)
  const exits =
    visits.size === 0
      ? met.exits
      : met.exits.map((exit) => {
          const given = visits.get(exit)
          if (!given) return exit
          const numbers = { assures: graph.numbersOf(given.assures), hopes: graph.numbersOf(given.hopes) }
          return { ...exit, ...given, numbers }
        })
  const intents = entrances.filter(({ given }) => given === null)
  const global = intents.filter((entrance) => entrance.global).map(({ node }) => node.index)
  // flat arrays: the passes visit everything repeatedly, and block objects are scattered in memory
  const hears = new Uint8Array(nodes.length)
  const names = new Uint8Array(nodes.length)
  const sets = { assures: new Int32Array(exits.length), hopes: new Int32Array(exits.length) }
  const hearing = global.length > 0
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node
    if (node.role & role.names) names[at] = 1
    // global intents are listened for while a block asks, and once the flow has ended
    if (hearing && node.role & role.hears) hears[at] = 1
    for (let exit = first[at] as number; exit < (first[at + 1] as number); exit++) {
      if (hearing && (target[exit] as number) < 0) hears[at] = 1
      const { numbers } = exits[exit] as Exit
      sets.assures[exit] = numbers.assures.length
      sets.hopes[exit] = numbers.hopes.length
    }
  }
  /** intents that a question names */
  const named = (node: Node): readonly number[] =>
    node.facts.intents.length === 0
      ? NO_NODES
      : intents.flatMap((intent) => (node.facts.intents.includes(intent.node.view.id) ? intent.node.index : []))
  // shared by all searches
  const searched = {
    from: new Int32Array(nodes.length),
    by: new Int32Array(nodes.length),
    wanted: new Uint8Array(nodes.length),
  }
  const numbersOf = (ids: readonly string[]) => graph.numbersOf(ids)
  return { nodes, first, exits, target, global, hears, names, named, sets, searched, numbersOf }
}
const NO_NODES: readonly number[] = []
type Ways = ReturnType<typeof waysOf>

/**
 * Forward must-assign analysis over bit sets: a variable is certainly set at a block if all paths to it set it.
 * @returns the variables that may be unset at blocks that need them
 */
function readUnset(
  variables: readonly string[],
  needed: ReadonlyMap<string, readonly Node[]>,
  entrances: readonly Entrance[],
  { nodes, first, exits, target, hears, names, named, sets, global, numbersOf }: Ways,
  trust: Trust,
): string[] {
  const words = Math.ceil(variables.length / 32)
  if (words === 0) return []
  const bits = numbersOf(variables)
  const bitOf = new Int32Array(Math.max(...bits) + 1).fill(-1)
  for (let bit = 0; bit < bits.length; bit++) bitOf[bits[bit] as number] = bit
  const nothing = new Int32Array(words)
  const mask = new Int32Array(words)
  /** valid until the next call */
  const maskOf = (numbers: readonly number[]): Int32Array => {
    mask.fill(0)
    for (let at = 0; at < numbers.length; at++) {
      const bit = bitOf[numbers[at] as number] ?? -1
      if (bit >= 0) mask[bit >> 5] = (mask[bit >> 5] as number) | (1 << (bit & 31))
    }
    return mask
  }
  // one place more than there are blocks: where global intents are listened for. Places not reached yet have all bits
  // set
  const HUB = nodes.length
  const sure = new Int32Array((HUB + 1) * words).fill(-1)
  const known = new Uint8Array(HUB + 1)
  // places to process; their numbers follow the edges, so that processing in order visits most places once
  const due = new Uint8Array(HUB + 1)
  let lowest = HUB
  const arrive = (at: number, before: number, mask: Int32Array) => {
    let changed = known[at] === 0
    known[at] = 1
    for (let word = 0; word < words; word++) {
      const had = sure[at * words + word] as number
      const now = had & ((before < 0 ? 0 : (sure[before * words + word] as number)) | (mask[word] as number))
      if (now === had) continue
      sure[at * words + word] = now
      changed = true
    }
    if (!changed) return
    due[at] = 1
    if (at < lowest) lowest = at
  }
  for (const { node, given } of entrances) if (given) arrive(node.index, -1, maskOf(numbersOf(given)))
  if (known.every((was) => was === 0)) arrive(HUB, -1, nothing)
  const setting = sets[trust]
  const goOnFrom = (at: number) => {
    if (at === HUB) {
      for (const intent of global) arrive(intent, HUB, nothing)
      return
    }
    for (let exit = first[at] as number; exit < (first[at + 1] as number); exit++) {
      const to = target[exit] as number
      if (to >= 0) arrive(to, at, setting[exit] ? maskOf((exits[exit] as Exit).numbers[trust]) : nothing)
    }
    if (names[at]) for (const intent of named(nodes[at] as Node)) arrive(intent, at, nothing)
    if (hears[at]) arrive(HUB, at, nothing)
  }
  // repeat from the lowest place that changed
  while (lowest <= HUB) {
    const begin = lowest
    lowest = HUB + 1
    for (let at = begin; at <= HUB; at++) {
      if (due[at] === 0) continue
      due[at] = 0
      goOnFrom(at)
      // higher places are processed in this round
      if (lowest > at) lowest = HUB + 1
    }
  }
  return variables.filter((id, bit) =>
    needed.get(id)?.some(({ index }) => ((sure[index * words + (bit >> 5)] as number) & (1 << (bit & 31))) === 0),
  )
}

/** The shortest path that leaves the variable unset, to a block that needs it. */
function wayWithout(
  id: string,
  entrances: readonly Entrance[],
  { nodes, first, exits, target, hears, names, named, sets, global, searched }: Ways,
  trust: Trust,
  readers: readonly Node[],
) {
  // the predecessor of each block and its exit (-1: an intent); -2 for an entrance
  const from = searched.from.fill(-1)
  const by = searched.by.fill(-1)
  const queue: number[] = []
  const visit = (to: number, before: number, exit: number) => {
    if (from[to] !== -1) return
    from[to] = before
    by[to] = exit
    queue.push(to)
  }
  for (const { node, given } of entrances) if (given && !given.includes(id)) visit(node.index, -2, -1)
  if (queue.length === 0) for (const intent of global) visit(intent, -2, -1)
  const wanted = searched.wanted.fill(0)
  for (const { index } of readers) wanted[index] = 1
  const setting = sets[trust]
  let heard = false
  for (const at of queue) {
    if (wanted[at]) return wayTo(at)
    for (let exit = first[at] as number; exit < (first[at + 1] as number); exit++) {
      const to = target[exit] as number
      if (to < 0 || from[to] !== -1) continue
      if (!setting[exit] || !(exits[exit] as Exit)[trust].includes(id)) visit(to, at, exit)
    }
    if (names[at]) for (const intent of named(nodes[at] as Node)) visit(intent, at, -1)
    if (heard || !hears[at]) continue
    heard = true
    for (const intent of global) visit(intent, at, -1)
  }
  return null

  function wayTo(last: number): Leg[] {
    const way: Leg[] = [{ node: nodes[last] as Node, exit: null }]
    for (let at = last; (from[at] as number) >= 0; at = from[at] as number)
      way.unshift({ node: nodes[from[at] as number] as Node, exit: exits[by[at] as number] ?? null })
    return way
  }
}
