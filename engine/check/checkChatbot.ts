import { enteredFlows } from '../flow/otherFlows'
import type { Registry } from '../flow/registry'
import type { ChatbotFlows, Flow } from '../flow/schema'
import { checkFlow } from './createChecker'
import type { Diagnostic } from './diagnostic'
import { outlineOf } from './outline'

export interface CheckedFlow {
  /** null for the main flow */
  id: string | null
  title: string
  flow: Flow
  /** sorted by severity */
  diagnostics: Diagnostic[]
}

/** Checks a chatbot's main flow and every other flow reachable from it. Never throws. */
export function checkChatbot(
  { main, others }: ChatbotFlows,
  registry: Registry,
  mainTitle = '',
  secrets: ReadonlySet<string> | null = null,
): CheckedFlow[] {
  const all = [{ id: null, title: mainTitle, flow: main }, ...others]
  const outlines = all.map(({ id, title, flow }) => outlineOf(id, title, flow, registry))
  const met = new Set<string | null>([null])
  const byId = new Map(others.map(({ id, flow }) => [id, flow]))
  const ahead = [main]
  for (let flow = ahead.pop(); flow; flow = ahead.pop()) {
    for (const id of enteredFlows(flow, registry)) {
      const entered = byId.get(id)
      if (!entered || met.has(id)) continue
      met.add(id)
      ahead.push(entered)
    }
  }
  return all
    .filter(({ id }) => met.has(id))
    .map(({ id, title, flow }) => ({
      id,
      title,
      flow,
      diagnostics: checkFlow(flow, registry, {
        flowId: id,
        others: outlines.filter((other) => other.id !== id),
        secrets,
      }),
    }))
}
