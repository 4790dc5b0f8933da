import type { ChannelTraits } from '../flow/capabilities'
import type { BotMessage, Cause, InputRequest, Listen, StayOpen } from '../flow/effects'
import type { EdgeTarget } from '../flow/schema'
import type { Json } from '../values/json'

/**
 * One visitor's run of one version, as plain JSON. A running block can't be saved: `journal` holds the effect results
 * of the waiting block, and `variables` the values at its entry. Re-running the block from its start with these
 * restores its state (`said` messages have been delivered).
 */
export interface Session {
  /** `paused`: the turn stopped before a block because its watcher said so; a `continue` resumes it */
  status: 'new' | 'waiting' | 'paused' | 'ended'
  /**
   * the block that waits, or before which it is paused; in a new session the block to start at instead of a trigger;
   * null if the session ended, or only listens for intents
   */
  at: { groupId: string; blockId: string } | null
  /** the current flow; null for the chatbot's main flow */
  flowId: string | null
  variables: Record<string, Json>
  journal: JournalEntry[]
  /** number of delivered messages of the block's current run */
  said: number
  /** number of blocks entered so far: makes effect keys unique within the session */
  entries: number
  /** what the visitor is asked */
  request: InputRequest | null
  /** which intents may interrupt a typed reply */
  listen: Listen | null
  /**
   * the intent trigger that interrupted last, until a block has consumed a reply: it does not interrupt its own
   * question
   */
  cutIn: string | null
  /** what continues when the present flow, part or interruption ends, innermost last */
  frames: Frame[]
  /** what started the run at the trigger before which it is paused */
  cause?: Cause
  /** what is asked after the flow's end, and which effect is called with what the visitor says */
  open?: StayOpen
  /** what its channel can do; absent: everything, as the web */
  channel?: ChannelTraits
}

/**
 * A block that continues later. `flow`: it entered another flow and is re-run with its journal and that flow's
 * variables as the result. `again`: the intent `by` interrupted its question, which is asked again from the block's
 * start; `variables` are those of its flow if the intent belongs to another one. `visit`: it ran another part of its
 * flow and is re-run with its journal; variables are shared.
 */
export type Frame = { flowId: string | null; groupId: string; blockId: string } & (
  | { type: 'flow'; variables: Record<string, Json>; journal: JournalEntry[]; said: number }
  | { type: 'again'; by: string; variables: Record<string, Json> | null }
  | { type: 'visit'; variables: null; journal: JournalEntry[]; said: number }
)

/** The recorded result of an effect. `type` is checked on replay, so that a changed block is noticed. */
export type JournalEntry = { type: 'ask' | 'now' | 'random' | 'call' | 'enter' | 'visit' | 'cause'; result: Json }

/** A step of a turn for the debugger: which block, how it was left, what it said, wrote and asked. */
export interface TraceStep {
  /** null for the chatbot's main flow */
  flowId: string | null
  groupId: string
  blockId: string
  kind: string
  /** the port it left by; null if it waits or ended the conversation */
  port: string | null
  messages: number
  writes: Record<string, Json>
  /** a message for the editor: an unknown kind, a missing target, a value that was cut */
  note?: string
}

/** A block with the flow and the group that contain it. */
export type Place = Pick<TraceStep, 'flowId' | 'groupId' | 'blockId'>

export const stopReasons = ['step-limit', 'cycle', 'too-much-work'] as const
/** The safety limit that stopped a turn: too many steps, an endless loop, too much work. */
export type StopReason = (typeof stopReasons)[number]

export interface TurnResult {
  session: Session
  messages: (BotMessage & { blockId: string })[]
  trace: TraceStep[]
  /** the current values for the visitor (values at entry plus what the waiting block has set) */
  variables: Record<string, Json>
  /** set when a safety limit stopped the turn: the visitor gets a polite message, the editor sees where */
  stopped: { reason: StopReason; at: Place } | null
}

export type { EdgeTarget }
