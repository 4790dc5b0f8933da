import { z } from 'zod'
import { defineBlock } from '../../engine/flow/defineBlock'
import type { Step } from '../../engine/flow/effects'
import { createRegistry } from '../../engine/flow/registry'
import { type Edge, emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, say } from '../../engine/flow/steps'
import type { Classifier } from '../../engine/intents/classifier'
import { driveTurn } from '../../engine/run/drive'
import type { Program } from '../../engine/run/program'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Session, TurnResult } from '../../engine/run/session'
import { newSession, turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'

/** A kind whose `run` each test defines: `data.run` names it. */
export const courses: Record<string, () => Step<string>> = {}
const scripted = defineBlock({
  kind: 'scripted',
  category: 'other',
  title: '',
  help: '',
  schema: z.strictObject({ run: z.string() }),
  defaults: () => ({ run: '' }),
  ports: (): { id: string; fallback?: string }[] => [{ id: 'next' }, { id: 'other', fallback: 'next' }],
  startsOn: ({ run }) => run === 'start',
  // `on-<word>`: an intent; with `always` in its name a global one, with `resumes` a resuming one
  intent: ({ run }) => ({
    name: run,
    phrases: run.startsWith('on-') ? [run] : [],
    global: run.includes('always'),
    resumes: run.includes('resumes'),
  }),
  run: ({ run }) => courses[run]?.() ?? leave('next'),
})
export const scriptedRegistry = createRegistry([scripted])

/** Matches a text that names an intent's block: `talk of <block>`, optionally with a confidence. */
export const classify: Classifier = (text) =>
  [...text.matchAll(/of ([a-z-]+)(?: (0\.\d+))?/g)].map(([, blockId = '', confidence = '0.9']) => ({
    blockId,
    confidence: Number(confidence),
  }))

export function* leave(port: string): Step<string> {
  return port
}
export const text = (words: string) => say(plainRichText(words))
export const wait = () => ask({ input: 'text', long: false, placeholder: '', required: true, maxLength: 100 })

/** Groups of block names: `a:course` is a block with the id `a` that runs that course. */
export function flow(groups: Record<string, string[]>, edges: Edge[] = []): Flow {
  return {
    ...emptyFlow(),
    edges,
    groups: Object.entries(groups).map(([id, blocks]) => ({
      id,
      title: '',
      position: { x: 0, y: 0 },
      blocks: blocks.map((block) => {
        const [name = '', run = name] = block.split(':')
        return { id: name, kind: 'scripted', version: 0, data: { run } }
      }),
    })),
  }
}
export const edge = (blockId: string, portId: string, groupId: string, to?: string): Edge => ({
  from: { blockId, portId },
  to: to ? { groupId, blockId: to } : { groupId },
})

export const still = ({ type }: RuntimeEffect): Json => (type === 'now' ? 'noon' : type === 'random' ? 0.5 : 'answer')
export const begin = (program: Program, answer = still, variables = {}) =>
  driveTurn(turn(program, newSession(program, variables), { type: 'start', event: { type: 'start' } }), answer)
export const reply = (program: Program, session: Session, words: string, answer = still) =>
  driveTurn(turn(program, session, { type: 'reply', reply: { type: 'text', text: words } }), answer)
export const path = ({ trace }: TurnResult) => trace.map(({ blockId }) => blockId)
export const notes = ({ trace }: TurnResult) => trace.flatMap(({ note }) => note ?? [])
export const said = ({ messages }: TurnResult) =>
  messages.map((message) => (message.kind === 'text' ? message.text[0]?.children[0]?.text : ''))
