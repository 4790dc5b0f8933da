import { type ChannelCapabilities, webCapabilities } from '../flow/capabilities'
import type { Registry } from '../flow/registry'
import type { Flow } from '../flow/schema'
import { systemVariables } from '../values/systemVariables'
import type { Diagnostic } from './diagnostic'
import { FlowGraph, type Node } from './graph'
import type { FlowOutline } from './outline'
import { checkBlock, checkCalls, checkSecrets, checkVariables } from './rules/block'
import { findEntrances } from './rules/entrances'
import { checkIntents } from './rules/intents'
import { checkLoops } from './rules/loops'
import { checkReach, reached } from './rules/reach'
import { checkUnset } from './rules/unset'
import { checkOrphans, checkWays } from './rules/ways'
import type { Severity } from './texts'
import { type FlowView, viewOfFlow } from './view'

export interface CheckOptions {
  /** the flow's own id; null for the chatbot's main flow */
  flowId?: string | null
  /** the chatbot's other flows; null where they are not known: then nothing is said about what has to do with them */
  others?: readonly FlowOutline[] | null
  /** names of the project's secrets; null where they are not known: then nothing is said about them */
  secrets?: ReadonlySet<string> | null
  /** whether the installation has a mail server; null where that is not known */
  mailServer?: boolean | null
  /** what the channel can do on which the chatbot talks; the web unless said */
  channel?: ChannelCapabilities
}

export interface Checker {
  /**
   * All that is to be said about a flow, in no order. What did not change since the last call, seen by the identity of its objects,
   * is not looked at again. Never throws.
   */
  check(view: FlowView): Diagnostic[]
}

/** A checker that follows one flow; another channel or other flows beside it need another checker. */
export function createChecker(
  registry: Registry,
  { flowId = null, others = null, secrets = null, mailServer = null, channel = webCapabilities }: CheckOptions = {},
): Checker {
  const graph = new FlowGraph(registry, channel)
  /** by block: what was found there, by the cause that makes it be looked for again */
  const inBlocks = new Map<string, Diagnostic[]>()
  const inReferences = new Map<string, Diagnostic[]>()
  const inWays = new Map<string, Diagnostic[]>()
  let ofWhole: Diagnostic[] = []
  let known: ReadonlySet<string> = new Set()

  const keep = (store: Map<string, Diagnostic[]>, { view }: Node, found: Diagnostic[]) => {
    if (found.length > 0) store.set(view.id, found)
    else store.delete(view.id)
  }
  const checkReferences = (node: Node) => {
    const named = [checkVariables(node, known), checkSecrets(node, secrets)].flat()
    keep(inReferences, node, node.facts.calls.length === 0 ? named : named.concat(checkCalls(node, flowId, others)))
  }

  return {
    check(view) {
      const change = graph.update(view)
      for (const id of change.removed) for (const store of [inBlocks, inReferences, inWays]) store.delete(id)
      if (change.variables.size > 0 || known.size === 0) known = knownVariables(view)
      for (const node of change.looked) keep(inBlocks, node, checkBlock(node, mailServer))
      for (const node of change.looked) checkReferences(node)
      if (change.variables.size > 0) for (const node of graph.naming(change.variables)) checkReferences(node)
      for (const node of change.relinked) keep(inWays, node, checkWays(node, graph))
      // a block that stands elsewhere now says so
      for (const node of change.relinked)
        if (moved(inBlocks, inReferences, node)) {
          keep(inBlocks, node, checkBlock(node, mailServer))
          checkReferences(node)
        }
      if (change.structure) ofWhole = checkWhole(graph, flowId, others)
      return [...[inBlocks, inReferences, inWays].flatMap((store) => [...store.values()].flat()), ...ofWhole]
    },
  }
}

function moved(inBlocks: Map<string, Diagnostic[]>, inReferences: Map<string, Diagnostic[]>, { view }: Node): boolean {
  return [inBlocks, inReferences].some(
    (store) => (store.get(view.id)?.[0]?.place.groupId ?? view.groupId) !== view.groupId,
  )
}

/** What only a look at all blocks tells: where conversations get to, what they go round in, what is set on the way. */
function checkWhole(graph: FlowGraph, flowId: string | null, others: readonly FlowOutline[] | null): Diagnostic[] {
  const { entrances, diagnostics } = findEntrances(graph, flowId, others)
  const met = reached(entrances)
  // where another flow enters this one is not known without the others
  const isWhole = flowId === null
  return [
    ...diagnostics,
    ...checkOrphans(graph),
    ...(entrances.length > 0 && (isWhole || others !== null) ? checkReach(graph, met) : []),
    ...checkLoops(met),
    ...checkUnset(graph, met, entrances, isWhole),
    ...checkIntents(graph.nodes.values()),
  ]
}

const knownVariables = ({ variables }: FlowView): ReadonlySet<string> =>
  new Set([...systemVariables, ...variables].map(({ id }) => id))

const gravity: Record<Severity, number> = { error: 0, warning: 1, info: 2 }

/** By gravity, then in the order of the canvas: from left to right, from top to bottom. */
export function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
  { groups }: Pick<FlowView, 'groups'>,
): Diagnostic[] {
  const keyed = diagnostics.map((diagnostic) => {
    const { groupId = '', blockId = '' } = diagnostic.place
    const group = groups.get(groupId)
    const { x, y } = group?.position ?? { x: -Infinity, y: 0 }
    return { diagnostic, gravity: gravity[diagnostic.severity], x, y, at: group?.blockIds.indexOf(blockId) ?? -1 }
  })
  keyed.sort((a, b) => a.gravity - b.gravity || (a.x === b.x ? 0 : a.x - b.x) || a.y - b.y || a.at - b.at)
  return keyed.map(({ diagnostic }) => diagnostic)
}

/** Checks a plain flow once, the gravest first. Never throws. */
export function checkFlow(flow: Flow, registry: Registry, options: CheckOptions = {}): Diagnostic[] {
  const view = viewOfFlow(flow)
  return sortDiagnostics(createChecker(registry, options).check(view), view)
}
