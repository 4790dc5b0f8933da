import type { LeadField } from '../../../../engine/values/agentActions'
import type { Json } from '../../../../engine/values/json'
import type { CallContext, Writes } from '../../../platform/effects/callContext'
import type { ToolOutcome } from './agentTool'

/** The context of an action: for whom it is carried out, and what happens to its changes outside. */
export interface ActionCall {
  projectId: string
  /** the flow's call; null: the playground or a test */
  call: Pick<CallContext, 'conversation' | 'run'> | null
  /** the same key is the same call, for receivers that detect repetitions */
  key: string
  writes: Writes
  signal: AbortSignal
  /** whether the visitor was asked before, for what wants that; absent: nobody has to be asked */
  agreed?: boolean
  /** labels of a form's fields, in the visitor's language */
  labels?: FieldLabels | undefined
}
export type FieldLabels = Readonly<Record<LeadField, string>>

/** The result; `saved` is the value to store if the action says so. */
export type Outcome = Omit<ToolOutcome, 'saved'> & { saved?: Json }
