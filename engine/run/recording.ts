import type { ChannelTraits } from '../flow/capabilities'
import type { StartEvent } from '../flow/conversation'
import type { InputRequest, Reply } from '../flow/effects'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { driveTurn } from './drive'
import type { Program } from './program'
import type { RuntimeEffect } from './runBlock'
import type { Session, TurnResult } from './session'
import { newSession, turn } from './turn'

/** A conversation without its bot: what started it and the visitor's replies, in order. */
export interface Recording {
  event?: StartEvent
  variables?: Variables
  replies: Reply[]
  /** what the channel can do; absent: everything */
  channel?: ChannelTraits
}

export interface Transcript {
  turns: TurnResult[]
  session: Session
}

/** Replies to a request like a visitor; null stops the conversation. */
export type Visitor = (request: InputRequest, turn: number) => Reply | null

/** Replays a recording through a program, until the recording or the conversation ends. */
export const replay = (program: Program, recording: Recording, answer: (effect: RuntimeEffect) => Json): Transcript =>
  converse(program, (_request, turn) => recording.replies[turn] ?? null, answer, recording)

/** Lets a visitor talk to a program until one of them ends it, for at most `maxTurns` turns. */
export function converse(
  program: Program,
  visitor: Visitor,
  answer: (effect: RuntimeEffect) => Json,
  { event = { type: 'start' }, variables, channel, maxTurns = 1_000 }: Partial<Recording> & { maxTurns?: number } = {},
): Transcript {
  const first = driveTurn(
    turn(program, newSession(program, variables, null, channel), { type: 'start', event }),
    answer,
  )
  const turns = [first]
  let { session } = first
  while (session.status === 'waiting' && session.request && turns.length < maxTurns) {
    const reply = visitor(session.request, turns.length - 1)
    if (!reply) break
    const result = driveTurn(turn(program, session, { type: 'reply', reply }), answer)
    turns.push(result)
    session = result.session
  }
  return { turns, session }
}
