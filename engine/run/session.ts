import type { BotMessage, Cause, InputRequest, Listen, StayOpen } from '../flow/effects'
import type { EdgeTarget } from '../flow/schema'
import type { Json } from '../values/json'

/**
 * One visitor's run of one version, as plain JSON. A running block is not saved: `journal` holds the effect results of the
 * block it waits in, and `variables` the values at that block's entry; re-running the block from its start with them gives
 * the same state (`said` messages were delivered already).
 */
export interface Session {
  /** `paused`: the turn stopped before a block, because its watcher said so, and goes on by a `continue` */
  status: 'new' | 'waiting' | 'paused' | 'ended'
  /**
   * the block that waits, or that it is paused before; of a new session the block to begin at instead of a trigger; null when it
   * ended, or when it only listens for intents
   */
  at: { groupId: string; blockId: string } | null
  /** the flow it is in; null for the chatbot's main flow */
  flowId: string | null
  variables: Record<string, Json>
  journal: JournalEntry[]
  /** how many messages of the present run of the block were delivered */
  said: number
  /** how many blocks were entered so far: makes the keys of host effects unique within the session */
  entries: number
  /** what the visitor is asked for now */
  request: InputRequest | null
  /** which intents may cut in when a text is typed now */
  listen: Listen | null
  /** the intent trigger that cut in last, until a block has taken a reply: it does not cut in on its own question */
  cutIn: string | null
  /** what goes on once the present flow or interruption is over, the innermost last */
  frames: Frame[]
  /** what began the run at the trigger that it is paused before */
  cause?: Cause
  /** what is asked once the flow has run out, in place of its end, and who is told of what the visitor says */
  open?: StayOpen
}

/**
 * A block that goes on later. `flow`: it entered another flow and is re-run with its journal and that flow's variables as the
 * result. `again`: the intent `by` cut in on its question, which is asked again, from the block's start; `variables` are those of
 * its flow when the intent belongs to another one. `visit`: it went to another part of its flow and is re-run with its journal; variables are shared.
 */
export type Frame = { flowId: string | null; groupId: string; blockId: string } & (
  | { type: 'flow'; variables: Record<string, Json>; journal: JournalEntry[]; said: number }
  | { type: 'again'; by: string; variables: Record<string, Json> | null }
  | { type: 'visit'; variables: null; journal: JournalEntry[]; said: number }
)

/** The recorded result of one effect: `type` is checked on replay, so that a block that changed is noticed. */
export type JournalEntry = { type: 'ask' | 'now' | 'random' | 'call' | 'enter' | 'visit' | 'cause'; result: Json }

/** One step of a turn for the debug view: which block, how it was left, what it said, wrote and asked. */
export interface TraceStep {
  /** null for the chatbot's main flow */
  flowId: string | null
  groupId: string
  blockId: string
  kind: string
  /** the port it left by; null while it waits or when it ended the conversation */
  port: string | null
  messages: number
  writes: Record<string, Json>
  /** something that the editor should know: an unknown kind, a target that is gone, a value that was cut */
  note?: string
}

/** A block, named by the flow and the group it stands in. */
export type Place = Pick<TraceStep, 'flowId' | 'groupId' | 'blockId'>

export const stopReasons = ['step-limit', 'cycle', 'too-much-work'] as const
/** Which safety rail: too many steps, a circle, more work than a turn may take. */
export type StopReason = (typeof stopReasons)[number]

export interface TurnResult {
  session: Session
  messages: (BotMessage & { blockId: string })[]
  trace: TraceStep[]
  /** the values as the visitor sees them now (entry values plus what the waiting block has set) */
  variables: Record<string, Json>
  /** set when the turn was cut by a safety rail: the visitor gets a polite message, the editor sees where */
  stopped: { reason: StopReason; at: Place } | null
}

export type { EdgeTarget }
