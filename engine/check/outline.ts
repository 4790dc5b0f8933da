import type { FlowCall } from '../flow/defineBlock'
import { flowCalls } from '../flow/otherFlows'
import type { Registry } from '../flow/registry'
import type { Flow } from '../flow/schema'
import type { Languages } from '../translations/translation'

/** What the checker knows about another flow of the chatbot. */
export interface FlowOutline {
  readonly id: string | null
  readonly title: string
  readonly groups: readonly { readonly id: string }[]
  readonly variables: readonly { readonly id: string }[]
  /** how its blocks call other flows */
  readonly calls: readonly FlowCall[]
  /** of the main flow: what the chatbot speaks */
  readonly languages?: Languages | undefined
}

/** @param id null for the main flow */
export const outlineOf = (id: string | null, title: string, flow: Flow, registry: Registry): FlowOutline => ({
  id,
  title,
  groups: flow.groups,
  variables: flow.variables,
  calls: flowCalls(flow, registry),
  languages: flow.languages,
})
