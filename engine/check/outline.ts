import type { FlowCall } from '../flow/defineBlock'
import { flowCalls } from '../flow/otherFlows'
import type { Registry } from '../flow/registry'
import type { Flow } from '../flow/schema'

/** What the checker knows about another flow of the chatbot. */
export interface FlowOutline {
  readonly id: string | null
  readonly title: string
  readonly groups: readonly { readonly id: string }[]
  readonly variables: readonly { readonly id: string }[]
  /** how its blocks call other flows */
  readonly calls: readonly FlowCall[]
}

/** @param id null for the main flow */
export const outlineOf = (id: string | null, title: string, flow: Flow, registry: Registry): FlowOutline => ({
  id,
  title,
  groups: flow.groups,
  variables: flow.variables,
  calls: flowCalls(flow, registry),
})
