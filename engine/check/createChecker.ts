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
import { createTranslationCheck } from './rules/translations'
import { checkUnset } from './rules/unset'
import { checkOrphans, checkWays } from './rules/ways'
import type { Severity } from './texts'
import { type FlowView, viewOfFlow } from './view'

export interface CheckOptions {
  /** the flow's own id; null for the chatbot's main flow */
  flowId?: string | null
  /** the chatbot's other flows; null if unknown: checks that depend on them are skipped */
  others?: readonly FlowOutline[] | null
  /** names of the project's secrets; null if unknown: checks that depend on them are skipped */
  secrets?: ReadonlySet<string> | null
  /** whether the installation has a mail server; null if unknown */
  mailServer?: boolean | null
  /** capabilities of the channels that the chatbot is met on; default: the web */
  channels?: readonly ChannelCapabilities[]
}

export interface Checker {
  /**
   * Returns all diagnostics of a flow, unsorted. Objects that are identical to those of the last call are not checked
   * again. Never throws.
   */
  check(view: FlowView): Diagnostic[]
}

const WEB_ONLY: readonly ChannelCapabilities[] = [webCapabilities]

/** Creates a checker that follows one flow. Different channels or other flows need a new checker. */
export function createChecker(
  registry: Registry,
  { flowId = null, others = null, secrets = null, mailServer = null, channels = WEB_ONLY }: CheckOptions = {},
): Checker {
  const graph = new FlowGraph(registry, channels)
  /** findings by block, grouped by what triggers a new check */
  const inBlocks = new Map<string, Diagnostic[]>()
  const inReferences = new Map<string, Diagnostic[]>()
  const inWays = new Map<string, Diagnostic[]>()
  const checkTranslations = createTranslationCheck(registry)
  const mainLanguages = others?.find(({ id }) => id === null)?.languages ?? null
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
      // diagnostics name the block's place, which has changed
      for (const node of change.relinked)
        if (moved(inBlocks, inReferences, node)) {
          keep(inBlocks, node, checkBlock(node, mailServer))
          checkReferences(node)
        }
      if (change.structure) ofWhole = checkWhole(graph, flowId, others)
      const untranslated = checkTranslations(view, flowId === null ? (view.languages ?? null) : mainLanguages)
      const local = [inBlocks, inReferences, inWays].flatMap((store) => [...store.values()].flat())
      return [...local, ...untranslated, ...ofWhole]
    },
  }
}

function moved(inBlocks: Map<string, Diagnostic[]>, inReferences: Map<string, Diagnostic[]>, { view }: Node): boolean {
  return [inBlocks, inReferences].some(
    (store) => (store.get(view.id)?.[0]?.place.groupId ?? view.groupId) !== view.groupId,
  )
}

/** Checks that need the whole flow: reachability, loops, variables that may be unset. */
function checkWhole(graph: FlowGraph, flowId: string | null, others: readonly FlowOutline[] | null): Diagnostic[] {
  const { entrances, diagnostics } = findEntrances(graph, flowId, others)
  const met = reached(entrances)
  // without the other flows, it is unknown where they enter this one
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

/** Sorts by severity, then in canvas order: left to right, top to bottom. */
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

/** Checks a plain flow once. Returns diagnostics sorted by severity. Never throws. */
export function checkFlow(flow: Flow, registry: Registry, options: CheckOptions = {}): Diagnostic[] {
  const view = viewOfFlow(flow)
  return sortDiagnostics(createChecker(registry, options).check(view), view)
}
