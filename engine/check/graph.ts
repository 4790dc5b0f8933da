import type { BlockView, EdgeView, GroupView } from '../document/commands'
import type { ChannelCapabilities } from '../flow/capabilities'
import type { Port } from '../flow/defineBlock'
import type { Registry } from '../flow/registry'
import type { EdgeTarget } from '../flow/schema'
import { type BlockFacts, factsOf } from './facts'
import { differing, type FlowView } from './view'

/** A block in a flow's graph, kept between checks. */
export interface Node {
  view: BlockView
  facts: BlockFacts
  group: GroupNode
  below: Node | null
  exits: Exit[]
  /** `role` bits of its facts: every pass tests them on every block, and most blocks have none */
  role: number
  /** numbers of the variables (`FlowGraph.numberOf`) that it sets and that it needs */
  writes: readonly number[]
  needs: readonly number[]
  /** its index among the nodes of the current pass */
  index: number
}

export interface GroupNode {
  view: GroupView
  nodes: Node[]
}

/** Properties of a block that the passes look for, as bits. */
export const role = { begins: 1, isIntent: 2, names: 4, calls: 8, waits: 16, hears: 32 } as const
const LISTED = role.begins | role.isIntent | role.names | role.calls

/** Whether conversations can start here, or this block affects where they start. */
export const isListed = (node: Node): boolean => (node.role & LISTED) !== 0

function roleOf({ begins, intent, intents, calls, waits, interruptible }: BlockFacts): number {
  return (
    (begins === 'never' ? 0 : role.begins) |
    (intent ? role.isIntent : 0) |
    (intents.length > 0 ? role.names : 0) |
    (calls.length > 0 ? role.calls : 0) |
    (waits ? role.waits : 0) |
    (waits && interruptible ? role.hears : 0)
  )
}

/** One way out of a block. */
export interface Exit {
  /** null for a jump */
  readonly port: Port | null
  /** the target of an edge or a jump; null: the block below */
  readonly to: Node | GroupNode | null
  /** the part of the flow that the block enters and returns from before it leaves by this exit */
  readonly visited: Node | GroupNode | null
  /** an edge or a jump exists, but its target does not */
  readonly broken: boolean
  /** the port's own edge exists */
  readonly own: boolean
  readonly assures: readonly string[]
  /** the same, assuming that an unconnected exit leads where an answer leads */
  readonly hopes: readonly string[]
  /** the same as variable numbers */
  readonly numbers: Readonly<Record<'assures' | 'hopes', readonly number[]>>
}

/** The next block after an exit; null: the conversation ends or, in another flow, returns. */
export const follow = (node: Node, { to }: Exit): Node | null =>
  to === null ? node.below : 'nodes' in to ? (to.nodes[0] ?? null) : to

/** What changed since the last view. */
export interface Change {
  /** blocks with new facts */
  readonly looked: Node[]
  /** blocks whose exits may have changed */
  readonly relinked: Set<Node>
  readonly removed: readonly string[]
  /** data flow or control flow between blocks changed: passes over the whole graph are due */
  structure: boolean
  /** variables that were added, removed, or got, lost or changed an initial value */
  readonly variables: ReadonlySet<string>
}

const EMPTY: FlowView = { groups: new Map(), blocks: new Map(), edges: new Map(), variables: [] }

/** The graph of a flow; updating it costs as much as the edit touched. */
export class FlowGraph {
  readonly nodes = new Map<string, Node>()
  readonly groups = new Map<string, GroupNode>()
  readonly edges = new Map<string, Map<string, EdgeView>>()
  /** edges whose source block is gone */
  readonly orphans = new Map<string, EdgeView>()
  view: FlowView = EMPTY
  private readonly variableNumbers = new Map<string, number>()
  readonly variableIds: string[] = []

  constructor(
    private readonly registry: Registry,
    private readonly channels: readonly ChannelCapabilities[],
  ) {}

  update(view: FlowView): Change {
    const before = this.view
    this.view = view
    const removed: string[] = []
    const change: Change = {
      looked: [],
      relinked: new Set(),
      removed,
      structure: before === EMPTY,
      variables: differingVariables(before.variables, view.variables),
    }
    if (change.variables.size > 0 && !this.naming(change.variables).next().done) change.structure = true
    let population = false
    const regrouped = new Set<GroupNode>()

    for (const id of differing(before.groups, view.groups)) {
      const group = view.groups.get(id)
      const present = this.groups.get(id)
      if (!group) {
        this.groups.delete(id)
        population = true
        continue
      }
      const moved = !present || present.view.blockIds !== group.blockIds
      // a trigger's position decides whether it comes before another one
      if (present && present.view.position !== group.position && present.nodes.some(isTrigger)) change.structure = true
      const node = present ?? { view: group, nodes: [] }
      node.view = group
      if (!present) this.groups.set(id, node)
      if (!present) population = true
      if (moved) regrouped.add(node)
    }
    for (const id of differing(before.blocks, view.blocks)) {
      const block = view.blocks.get(id)
      const present = this.nodes.get(id)
      if (!block || !this.groups.has(block.groupId)) {
        this.nodes.delete(id)
        removed.push(id)
        population = true
        continue
      }
      const group = this.groups.get(block.groupId) as GroupNode
      if (present && present.view.data === block.data && present.view.kind === block.kind) {
        present.view = block
        if (present.group !== group) regrouped.add(group)
        present.group = group
        continue
      }
      const facts = factsOf(block, this.registry, this.channels)
      const node = present ?? { view: block, facts, group, below: null, exits: [], index: 0, ...NO_FACTS }
      if (!present) {
        this.nodes.set(id, node)
        regrouped.add(group)
        population = true
      }
      if (!present || node.facts.shape !== facts.shape || node.facts.intent !== facts.intent) change.structure = true
      if (present && node.group !== group) regrouped.add(group)
      node.view = block
      node.facts = facts
      node.role = roleOf(facts)
      node.writes = this.numbersOf(facts.writes)
      node.needs = this.numbersOf(facts.needs)
      node.group = group
      change.looked.push(node)
      change.relinked.add(node)
    }
    for (const key of differing(before.edges, view.edges)) this.updateEdge(key, view.edges.get(key), change)
    if (population) this.sortOrphans(change)
    for (const group of regrouped) {
      if (this.groups.get(group.view.id) !== group) continue
      change.structure = true
      group.nodes = group.view.blockIds.flatMap((id) => this.nodes.get(id) ?? [])
      for (const [at, node] of group.nodes.entries()) {
        node.below = group.nodes[at + 1] ?? null
        change.relinked.add(node)
      }
    }
    if (population) {
      change.structure = true
      for (const node of this.nodes.values()) if (this.isLoose(node)) change.relinked.add(node)
    }
    for (const node of change.relinked) node.exits = this.exitsOf(node)
    return change
  }

  /** Blocks that name one of these variables. */
  *naming(variables: ReadonlySet<string>): Generator<Node> {
    const isMeant = (id: string) => variables.has(id)
    for (const node of this.nodes.values()) {
      const { reads, writes, needs } = node.facts
      if (reads.some(isMeant) || writes.some(isMeant) || needs.some(isMeant)) yield node
    }
  }

  /** Numbers for variable ids, stable for the lifetime of the graph. */
  numbersOf(ids: readonly string[]): readonly number[] {
    return ids.length === 0 ? NO_NUMBERS : ids.map((id) => this.numberOf(id))
  }

  private numberOf(id: string): number {
    const known = this.variableNumbers.get(id)
    if (known !== undefined) return known
    this.variableNumbers.set(id, this.variableIds.length)
    return this.variableIds.push(id) - 1
  }

  /** Looks up an edge's target; undefined if it is gone. */
  resolve({ groupId, blockId }: EdgeTarget): Node | GroupNode | undefined {
    return blockId === undefined ? this.groups.get(groupId) : this.nodes.get(blockId)
  }

  edgesOf(node: Node): ReadonlyMap<string, EdgeView> {
    return this.edges.get(node.view.id) ?? NO_EDGES
  }

  private updateEdge(key: string, edge: EdgeView | undefined, change: Change): void {
    const slash = key.indexOf('/')
    const blockId = key.slice(0, slash)
    const edges = this.edges.get(blockId) ?? new Map<string, EdgeView>()
    if (edge) edges.set(key.slice(slash + 1), edge)
    else edges.delete(key.slice(slash + 1))
    if (edges.size > 0) this.edges.set(blockId, edges)
    else this.edges.delete(blockId)
    const node = this.nodes.get(blockId)
    if (node) change.relinked.add(node)
    else if (edge) this.orphans.set(key, edge)
    if (!edge) this.orphans.delete(key)
    change.structure = true
  }

  private sortOrphans(change: Change): void {
    for (const id of change.removed)
      for (const edge of this.edges.get(id)?.values() ?? []) this.orphans.set(edge.id, edge)
    for (const [key, { from }] of this.orphans) if (this.nodes.has(from.blockId)) this.orphans.delete(key)
  }

  /** Whether added or removed blocks and groups may affect this block's exits. */
  private isLoose(node: Node): boolean {
    return node.facts.jumps.length > 0 || node.exits.some((exit) => exit.broken || !this.stands(exit.to))
  }

  private stands(to: Node | GroupNode | null): boolean {
    if (to === null) return true
    return 'nodes' in to ? this.groups.get(to.view.id) === to : this.nodes.get(to.view.id) === to
  }

  private exitsOf(node: Node): Exit[] {
    const { jumps, ports, assures, writes } = node.facts
    const edges = this.edgesOf(node)
    const exits: Exit[] = []
    for (const jump of jumps) {
      const to = this.resolve(jump) ?? null
      const sets = { assures: NO_IDS, hopes: NO_IDS, numbers: NOTHING_SET }
      exits.push({ port: null, to, visited: null, broken: to === null, own: true, ...sets })
    }
    for (const [at, port] of ports.entries()) {
      const own = edges.get(port.id)
      const edge = own ?? (port.fallback === undefined ? undefined : edges.get(port.fallback))
      const to = edge ? this.resolve(edge.to) : undefined
      const jump = jumps.find(({ back }) => back === port.id)
      exits.push({
        port,
        to: to ?? null,
        visited: (jump && this.resolve(jump)) ?? null,
        broken: edge !== undefined && to === undefined,
        own: own !== undefined,
        ...this.setBy(assures[at] ?? NO_IDS, own === undefined && port.fallback !== undefined ? writes : null),
      })
    }
    return exits
  }

  /** @param hopes null: the same as `assures` */
  private setBy(
    assures: readonly string[],
    hopes: readonly string[] | null,
  ): Pick<Exit, 'assures' | 'hopes' | 'numbers'> {
    const sure = this.numbersOf(assures)
    if (hopes !== null) return { assures, hopes, numbers: { assures: sure, hopes: this.numbersOf(hopes) } }
    return { assures, hopes: assures, numbers: sure.length === 0 ? NOTHING_SET : { assures: sure, hopes: sure } }
  }
}

const NO_IDS: readonly string[] = []
const NO_NUMBERS: readonly number[] = []
const NOTHING_SET: Exit['numbers'] = { assures: NO_NUMBERS, hopes: NO_NUMBERS }
const NO_FACTS = { role: 0, writes: NO_NUMBERS, needs: NO_NUMBERS }
const NO_EDGES: ReadonlyMap<string, EdgeView> = new Map()
const isTrigger = ({ facts }: Node) => facts.begins !== 'never'

/**
 * A rename affects no check, since texts are rendered with current names. Initial values decide which paths are
 * feasible.
 */
function differingVariables(before: FlowView['variables'], after: FlowView['variables']): ReadonlySet<string> {
  const found = new Set<string>()
  if (before === after) return found
  const values = new Map(before.map(({ id, value }) => [id, value]))
  for (const { id, value } of after) {
    if (!values.has(id) || values.get(id) !== value) found.add(id)
    values.delete(id)
  }
  for (const id of values.keys()) found.add(id)
  return found
}
