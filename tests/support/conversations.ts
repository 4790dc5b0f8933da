import { registry } from '../../blocks/registry'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { createProgram } from '../../engine/run/program'
import { type Recording, replay } from '../../engine/run/recording'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Session, TraceStep, TurnResult } from '../../engine/run/session'
import type { Json } from '../../engine/values/json'
import { richTextToString } from '../../engine/values/richText'

/** A runtime with a stopped clock and constant random numbers. */
export const stillRuntime = (effect: RuntimeEffect): Json =>
  effect.type === 'now' ? '2026-11-21T10:00:00.000Z' : effect.type === 'random' ? 0.5 : { called: effect.service }

export const typed = (text: string): Reply => ({ type: 'text', text })
export const chose = (...optionIds: string[]): Reply => ({ type: 'choice', optionIds })
export const skipped: Reply = { type: 'skip' }

/** A flow of one group: `start`, then the block under test. Variables are named by their ids. */
export function flowAround(kind: string, data: unknown, variables: Record<string, Json> = {}): Flow {
  return {
    ...emptyFlow(),
    variables: Object.entries(variables).map(([id, value]) => ({ id, name: id, value })),
    groups: [
      {
        id: 'g',
        title: 'Group',
        position: { x: 0, y: 0 },
        blocks: [
          { id: 'start', kind: 'start', version: 0, data: {} },
          {
            id: 'subject',
            kind,
            version: registry.find(kind)?.migrations.length ?? 0,
            data: data as Record<string, Json>,
          },
        ],
      },
    ],
  }
}

export interface OneBlock {
  /** the port it left by; null if it waits or ended the conversation */
  port: string | null
  said: string[]
  variables: Record<string, Json>
  request: InputRequest | null
  session: Session
  steps: TraceStep[]
  notes: string[]
}

/** Runs one block with the visitor's replies and returns the course of the conversation. */
export function runKind(
  kind: string,
  data: unknown,
  { variables = {}, replies = [], channel }: Omit<Recording, 'event' | 'replies'> & { replies?: Reply[] } = {},
): OneBlock {
  const program = createProgram(flowAround(kind, data, variables), registry)
  const { turns, session } = replay(program, { replies, ...(channel && { channel }) }, stillRuntime)
  const steps = turns.flatMap(({ trace }) => trace).filter(({ blockId }) => blockId === 'subject')
  return {
    port: steps.at(-1)?.port ?? null,
    said: turns.flatMap(({ messages }) => messages).map(shown),
    variables: turns.at(-1)?.variables ?? {},
    request: session.request,
    session,
    steps,
    notes: steps.flatMap(({ note }) => note ?? []),
  }
}

/** A message as a line of a transcript. */
export const shown = (message: TurnResult['messages'][number]): string =>
  message.kind === 'text'
    ? richTextToString(message.text, () => '')
    : `[${message.kind} ${'url' in message ? message.url : ''}]`
