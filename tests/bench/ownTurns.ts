import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import type { Session } from '../../engine/run/session'
import { newSession, turn } from '../../engine/run/turn'
import { plainRichText } from '../../engine/values/richText'

/**
 * Our side of engine.bench.ts, which bundles it as the server is bundled: vitest's own modules look each import up at each use, which
 * a turn feels.
 */
const block = (id: string, kind: string, data: object) => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const sentence = (before: string) => [
  {
    type: 'paragraph' as const,
    children: [
      { text: before },
      { text: '' as const, variable: true as const, variable_id: 'word' },
      { text: ', that is ' },
      { text: '' as const, variable: true as const, variable_id: 'count' },
    ],
  },
]

const comparison = { id: 'c', variableId: 'word', operator: 'contains', value: { type: 'static', value: 'yes' } }
const flow: Flow = {
  ...emptyFlow(),
  variables: ['word', 'count'].map((id) => ({ id, name: id, value: null })),
  groups: [
    { id: 'begin', title: '', position: { x: 0, y: 0 }, blocks: [block('start', 'start', {})] },
    {
      id: 'ask',
      title: '',
      position: { x: 300, y: 0 },
      blocks: [
        block('input', 'text-input', { prompt: plainRichText(''), saveTo: 'word' }),
        block('count', 'set-variable', { variableId: 'count', mode: 'increment' }),
        block('compare', 'condition', { branches: [{ id: 'is-yes', match: 'all', comparisons: [comparison] }] }),
      ],
    },
    {
      id: 'good',
      title: '',
      position: { x: 600, y: 0 },
      blocks: [block('say-good', 'text', { content: sentence('Good, ') })],
    },
    {
      id: 'why',
      title: '',
      position: { x: 600, y: 300 },
      blocks: [block('say-why', 'text', { content: sentence('Why ') })],
    },
  ],
  edges: [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'ask' } },
    { from: { blockId: 'compare', portId: 'is-yes' }, to: { groupId: 'good' } },
    { from: { blockId: 'compare', portId: 'else' }, to: { groupId: 'why' } },
    { from: { blockId: 'say-good', portId: 'next' }, to: { groupId: 'ask' } },
    { from: { blockId: 'say-why', portId: 'next' }, to: { groupId: 'ask' } },
  ],
}
const program = createProgram(flow, registry)
const answer = () => 0.5

export const begin = (): Session =>
  driveTurn(turn(program, newSession(program), { type: 'start', event: { type: 'start' } }), answer).session

export const reply = (session: Session, text: string) =>
  driveTurn(turn(program, session, { type: 'reply', reply: { type: 'text', text } }), answer)

/** A flow that counts until the step limit stops it: a turn as long as a turn can be. */
const endless: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'count', name: 'count', value: null }],
  groups: [
    { id: 'begin', title: '', position: { x: 0, y: 0 }, blocks: [block('start', 'start', {})] },
    {
      id: 'loop',
      title: '',
      position: { x: 300, y: 0 },
      blocks: [block('count', 'set-variable', { variableId: 'count', mode: 'increment' })],
    },
  ],
  edges: ['start', 'count'].map((blockId) => ({ from: { blockId, portId: 'next' }, to: { groupId: 'loop' } })),
}
const counting = createProgram(endless, registry)

/** @returns how many blocks it ran through */
export const longestTurn = (): number =>
  driveTurn(turn(counting, newSession(counting), { type: 'start', event: { type: 'start' } }), answer).trace.length
