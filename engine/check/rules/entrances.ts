import type { FlowCall } from '../../flow/defineBlock'
import type { Diagnostic } from '../diagnostic'
import { type FlowGraph, isListed, type Node } from '../graph'
import type { FlowOutline } from '../outline'
import { report } from './report'

/** A block where conversations can start, and the variables set there in addition to the flow's initial values. */
export interface Entrance {
  readonly node: Node
  /** null: an intent; whatever was set where the visitor typed is set */
  readonly given: readonly string[] | null
  /** listened for at every interruptible question */
  readonly global: boolean
}

/** Canvas order: the order in which triggers are tried, and in which the first of several is reported. */
export function byPlace(a: Node, b: Node): number {
  const [one, other] = [a.group.view.position, b.group.view.position]
  if (one.x !== other.x || one.y !== other.y) return one.x - other.x || one.y - other.y
  if (a.group !== b.group) return a.group.view.id < b.group.view.id ? -1 : 1
  return a.group.nodes.indexOf(a) - b.group.nodes.indexOf(b)
}

/** Where conversations enter a flow: triggers, intents, and entry points of other flows. */
export function findEntrances(
  graph: FlowGraph,
  flowId: string | null,
  others: readonly FlowOutline[] | null,
): { entrances: Entrance[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const entrances: Entrance[] = []
  const triggers: Node[] = []
  const intents: Node[] = []
  const named = new Set<string>()
  const calls: FlowCall[] = (others ?? []).filter(({ id }) => id !== flowId).flatMap((other) => other.calls)
  for (const node of graph.nodes.values()) {
    if (!isListed(node)) continue
    const { facts } = node
    if (facts.begins !== 'never') triggers.push(node)
    if (facts.intent) intents.push(node)
    for (const id of facts.intents) named.add(id)
    for (const call of facts.calls) calls.push(call)
  }
  triggers.sort(byRank)
  intents.sort(byPlace)
  const coming = calls.filter((call) => call.flowId === flowId)
  const startGiven = flowId === null ? [] : commonOf(coming.filter(({ groupId }) => groupId === null))

  let first: Node | null = null
  for (const node of triggers) {
    if (first && surelyBefore(first, node)) {
      diagnostics.push(
        report(
          'trigger-never-begins',
          placeOf(node),
          { other: { block: first.view.id } },
          {
            code: 'delete-block',
            commands: [{ name: 'deleteBlocks', args: [[node.view.id]] }],
          },
        ),
      )
      continue
    }
    entrances.push({ node, given: startGiven, global: false })
    if (!first && node.facts.begins === 'always') first = node
  }
  for (const node of intents) {
    const { intent } = node.facts
    if (!intent) continue
    if (intent.global || named.has(node.view.id)) entrances.push({ node, given: null, global: intent.global })
    else diagnostics.push(report('intent-never-heard', placeOf(node), { name: intent.name }))
  }
  const into = new Set(coming.flatMap(({ groupId }) => groupId ?? []))
  for (const groupId of [...into].sort()) {
    const node = graph.groups.get(groupId)?.nodes[0]
    if (node)
      entrances.push({ node, given: commonOf(coming.filter((call) => call.groupId === groupId)), global: false })
  }
  const listens = intents.some(({ facts }) => facts.intent?.global)
  if (triggers.length === 0 && !listens && into.size === 0 && graph.nodes.size > 0)
    diagnostics.push(report('no-start', {}))
  return { entrances, diagnostics }
}

const placeOf = ({ view }: Node) => ({ groupId: view.groupId, blockId: view.id })

const byRank = (a: Node, b: Node) => b.facts.rank - a.facts.rank || byPlace(a, b)

/** Triggers at the same position follow file order, which the canvas does not show: neither is reported as first. */
function surelyBefore(first: Node, node: Node): boolean {
  const [one, other] = [first.group.view.position, node.group.view.position]
  return first.facts.rank > node.facts.rank || first.group === node.group || one.x !== other.x || one.y !== other.y
}

/** Variables that all of the calls set. */
const commonOf = (calls: readonly { gives: readonly string[] }[]): readonly string[] =>
  (calls[0]?.gives ?? []).filter((id) => calls.every(({ gives }) => gives.includes(id)))
