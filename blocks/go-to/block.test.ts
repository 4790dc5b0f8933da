import { expect, test } from 'vitest'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { flowAround, runKind, shown, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { goToBlock } from './block'
import { type GoToData, goToDefaults } from './schema'

const data = (change: Partial<GoToData>): GoToData => ({ ...goToDefaults(), ...change })
const chip = (variable_id: string): DynamicValue => ({ type: 'dynamic', parts: [{ type: 'variable', variable_id }] })

const transcript = (target: GoToData['target']) => {
  const flow = flowAround('go-to', data({ target }))
  const said = (id: string) => ({ id, kind: 'text', version: 0, data: { content: plainRichText(id) } })
  flow.groups.push({ id: 'there', title: '', position: { x: 0, y: 0 }, blocks: [said('first'), said('second')] })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, stillRuntime)
  return turns.flatMap(({ messages }) => messages).map(shown)
}

test('goes on at the first block of the group, or at the block', () => {
  expect(transcript({ groupId: 'there' })).toEqual(['first', 'second'])
  expect(transcript({ groupId: 'there', blockId: 'second' })).toEqual(['second'])
})

test('without a target, or when it is gone, the conversation goes on below', () => {
  expect(runKind('go-to', data({}))).toMatchObject({ port: 'next', notes: [] })
  const gone = runKind('go-to', data({ target: { groupId: 'gone' } }))
  expect(gone.notes.join()).toContain("Its target (group 'gone') is gone.")
})

test('has one port: none with a group, `returned` with another flow', () => {
  const ports = (change: Partial<GoToData>) => goToBlock.ports(data(change)).map(({ id }) => id)
  expect(ports({})).toEqual(['next'])
  expect(ports({ target: { groupId: 'g' } })).toEqual([])
  expect(ports({ to: 'flow', target: { groupId: 'g' } })).toEqual(['returned'])
})

test('comes back by `returned` from a group, and with `back` has no way out of its own', () => {
  const ports = (change: Partial<GoToData>) => goToBlock.ports(data(change)).map(({ id }) => id)
  expect(ports({ target: { groupId: 'g' }, comesBack: true })).toEqual(['returned'])
  expect(ports({ to: 'back' })).toEqual([])
  expect(goToBlock.jumps(data({ target: { groupId: 'g' }, comesBack: true }))).toEqual([
    { groupId: 'g', back: 'returned' },
  ])
})

test('names what it enters, jumps to, reads and sets only for what it leads to', () => {
  const both = data({
    target: { groupId: 'g' },
    flowId: 'f',
    inputs: [{ id: 'i', toVariable: 'topic', value: chip('mine') }],
    outputs: [{ id: 'o', fromVariable: 'answer', saveTo: 'kept' }],
  })
  const names = (to: GoToData['to']) => {
    const block = { ...both, to }
    return [goToBlock.jumps(block), goToBlock.enters(block), goToBlock.reads(block), goToBlock.writes(block)]
  }
  expect(names('group')).toEqual([[{ groupId: 'g' }], [], [], []])
  expect(names('flow')).toEqual([[], ['f'], ['mine'], ['kept']])
})

/** Another flow: asks a question that contains its variables, and saves the answer. */
const other: Flow = {
  ...emptyFlow(),
  variables: ['topic', 'answer'].map((id) => ({ id, name: id, value: null })),
  groups: ['start', 'later'].map((id) => ({
    id,
    title: id,
    position: { x: 0, y: 0 },
    blocks: [
      ...(id === 'start' ? [{ id: 's', kind: 'start', version: 0, data: {} }] : []),
      {
        id: `ask-${id}`,
        kind: 'text-input',
        version: registry.get('text-input').migrations.length,
        data: {
          ...registry.get('text-input').defaults(() => 'x'),
          prompt: [
            {
              type: 'paragraph',
              children: [{ text: `${id} ` }, { text: '', variable: true, variable_id: 'topic' }],
            },
          ],
          saveTo: 'answer',
        },
      },
    ],
  })),
}
const visit = (change: Partial<GoToData>, answer = 'green') => {
  const block = data({ to: 'flow', flowId: 'f', ...change })
  const program = createProgram(flowAround('go-to', block, { mine: 'tea', list: ['a', 'b'], kept: 'old' }), registry, {
    flows: { f: other },
  })
  const { turns } = replay(program, { replies: [typed(answer)] }, stillRuntime)
  return {
    said: turns.flatMap(({ messages }) => messages).map(shown),
    variables: turns.at(-1)?.variables,
    port: turns.at(-1)?.trace.at(-1)?.port,
  }
}

test('runs another flow with the values given, keeps what is wanted, and leaves by `returned`', () => {
  const result = visit({
    inputs: [
      { id: 'i', toVariable: 'topic', value: chip('mine') },
      { id: 'j', toVariable: null, value: staticValue('to nobody') },
    ],
    outputs: [
      { id: 'o', fromVariable: 'answer', saveTo: 'kept' },
      { id: 'p', fromVariable: null, saveTo: 'mine' },
      { id: 'q', fromVariable: 'answer', saveTo: null },
    ],
  })
  expect(result).toEqual({
    said: ['start tea'],
    port: 'returned',
    variables: { mine: 'tea', list: ['a', 'b'], kept: 'green' },
  })
})

test('gives a variable alone as it is, a list as a list; begins at a group where one is chosen', () => {
  const result = visit({
    flowGroupId: 'later',
    inputs: [{ id: 'i', toVariable: 'topic', value: chip('list') }],
    outputs: [{ id: 'o', fromVariable: 'topic', saveTo: 'kept' }],
  })
  expect(result.said).toEqual(['later a, b'])
  expect(result.variables).toMatchObject({ kept: ['a', 'b'] })
})

test('a flow that is gone, or was never chosen, is passed over; what would be kept is not touched', () => {
  const outputs = [{ id: 'o', fromVariable: 'answer', saveTo: 'kept' }]
  for (const flowId of ['gone', null])
    expect(visit({ flowId, outputs })).toMatchObject({ said: [], port: 'returned', variables: { kept: 'old' } })
})
