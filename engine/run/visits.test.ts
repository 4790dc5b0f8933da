import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { shown, stillRuntime, typed } from '../../tests/support/conversations'
import { checkFlow } from '../check/createChecker'
import type { Block, Edge, Flow } from '../flow/schema'
import { emptyFlow } from '../flow/schema'
import { plainRichText } from '../values/richText'
import { goesOnAfterVisit } from './callStack'
import { driveTurn } from './drive'
import { createProgram, type ProgramBlock } from './program'
import { newSession, turn } from './turn'

const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...registry.get(kind).defaults(() => id), ...data } as Block['data'],
})
const say = (id: string) => block(id, 'text', { content: plainRichText(id) })
const visit = (id: string, groupId: string) => block(id, 'go-to', { target: { groupId }, comesBack: true })
const back = (id: string) => block(id, 'go-to', { to: 'back' })
const ask = (id: string, saveTo: string | null = null) => block(id, 'text-input', { saveTo })

const flowOf = (groups: Record<string, Block[]>, edges: Edge[] = [], variables: string[] = []): Flow => ({
  ...emptyFlow(),
  variables: variables.map((id) => ({ id, name: id, value: null })),
  groups: Object.entries(groups).map(([id, blocks], at) => ({
    id,
    title: id,
    position: { x: at * 400, y: 0 },
    blocks,
  })),
  edges,
})
const start = block('start', 'start')

/** What is said; every session makes a JSON round trip, as when stored. */
function said(flow: Flow, ...replies: string[]) {
  const program = createProgram(flow, registry)
  const lines: string[] = []
  let result = driveTurn(turn(program, newSession(program), { type: 'start', event: { type: 'start' } }), stillRuntime)
  for (const reply of [...replies, null]) {
    lines.push(...result.messages.map(shown))
    if (reply === null || result.session.status !== 'waiting') break
    lines.push(`> ${reply}`)
    const stored = JSON.parse(JSON.stringify(result.session))
    result = driveTurn(turn(program, stored, { type: 'reply', reply: typed(reply) }), stillRuntime)
  }
  return { lines, ...result }
}

test('goes to a group and comes back after it, though questions lie between', () => {
  const flow = flowOf(
    { main: [start, visit('v', 'sub'), say('after')], sub: [say('sub'), ask('q', 'name'), say('done')] },
    [],
    ['name'],
  )
  const { lines, session, variables } = said(flow, 'Ada')
  expect(lines).toEqual(['sub', '> Ada', 'done', 'after'])
  expect(session).toMatchObject({ status: 'ended', frames: [] })
  expect(variables.name).toBe('Ada')
})

test('parts within parts come back one after another, and the same part may be gone to again with the same values', () => {
  const flow = flowOf({
    main: [start, visit('v', 'outer'), visit('w', 'outer'), say('end')],
    outer: [visit('x', 'inner'), say('outer')],
    inner: [say('inner')],
  })
  expect(said(flow)).toMatchObject({ lines: ['inner', 'outer', 'inner', 'outer', 'end'], stopped: null })
})

test('`back` ends a part early; where there is nothing to go back to, the block below is next', () => {
  const flow = flowOf({
    main: [start, visit('v', 'sub'), say('after'), back('b'), say('below')],
    sub: [say('sub'), back('c'), say('never')],
  })
  const { lines, trace } = said(flow)
  expect(lines).toEqual(['sub', 'after', 'below'])
  expect(trace.find(({ blockId }) => blockId === 'b')?.note).toContain('There is nothing to go back to.')
})

test('an end within a part ends the conversation', () => {
  const flow = flowOf({ main: [start, visit('v', 'sub'), say('after')], sub: [say('sub'), block('e', 'end')] })
  expect(said(flow)).toMatchObject({ lines: ['sub'], session: { status: 'ended', frames: [] } })
})

test('a menu that is gone to from everywhere, with nothing behind, never grows the session', () => {
  const flow = flowOf({ main: [start, ask('q'), visit('v', 'main')] })
  const { session } = said(flow, ...Array.from({ length: 200 }, () => 'again'))
  expect(session.frames).toEqual([])
})

test('fifty parts may wait for one another; what is deeper is gone to for good, and told to the editor', () => {
  const flow = flowOf({ main: [start, ask('q'), visit('v', 'main'), say('behind')] })
  const { session, trace } = said(flow, ...Array.from({ length: 60 }, () => 'again'))
  expect(session.frames).toHaveLength(50)
  expect(trace.find(({ blockId }) => blockId === 'v')?.note).toContain('At most 50 parts')
})

test('parts that go to each other without asking are stopped', () => {
  const flow = flowOf({ main: [start, visit('v', 'main'), say('behind')] })
  expect(said(flow).stopped).toMatchObject({ reason: 'cycle' })
})

test('the debug view shows where it went and that it came back', () => {
  const flow = flowOf({ main: [start, visit('v', 'sub'), say('after')], sub: [say('sub')] })
  expect(said(flow).trace.map(({ blockId, port }) => `${blockId} ${port}`)).toEqual([
    'start next',
    'v null',
    'sub next',
    'v returned',
    'after next',
  ])
})

test('the checker follows a part and what comes after it, and knows what the part sets on every way', () => {
  const uses = (id: string, variable: string) =>
    block(id, 'text', {
      content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id: variable }] }],
    })
  const sets = (id: string, variableId: string) => block(id, 'set-variable', { variableId, mode: 'now' })
  const flow = flowOf(
    {
      main: [start, visit('v', 'sub'), uses('u', 'always'), uses('w', 'once')],
      sub: [
        sets('a', 'always'),
        block('split', 'ab-split', {
          paths: [
            { id: 'p', label: 'A', percent: 50 },
            { id: 'q', label: 'B', percent: 50 },
          ],
        }),
      ],
      some: [sets('b', 'once')],
      alone: [say('never')],
    },
    [{ from: { blockId: 'split', portId: 'p' }, to: { groupId: 'some' } }],
    ['always', 'once'],
  )
  const found = checkFlow(flow, registry).filter(
    ({ severity, code }) => severity === 'warning' && code !== 'option-unhandled',
  )
  expect(found.map(({ code, place }) => [code, place.variableId ?? place.groupId])).toEqual([
    ['variable-may-be-unset', 'once'],
    ['unreachable-group', 'alone'],
  ])
})

test('only a block that comes back goes on afterwards: one that goes for good does not, whatever lies below it', () => {
  const goesOn = (jumps: { back?: string }[], below: object | null, edges: string[] = []) =>
    goesOnAfterVisit({
      below,
      edges: new Map(edges.map((port) => [port, {}])),
      runnable: { data: null, definition: { jumps: () => jumps } },
    } as unknown as ProgramBlock)
  expect(goesOn([{ back: 'next' }], {})).toBe(true)
  expect(goesOn([{ back: 'next' }], null, ['next'])).toBe(true)
  expect(goesOn([{ back: 'next' }], null, ['other'])).toBe(false)
  expect(goesOn([{}], {})).toBe(false)
  expect(goesOn([], {})).toBe(false)
})
