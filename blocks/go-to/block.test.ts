import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { plainRichText } from '../../engine/values/richText'
import { flowAround, runKind, shown, stillHost } from '../../tests/support/conversations'
import { registry } from '../registry'
import { goToBlock } from './block'

const transcript = (target: object) => {
  const flow = flowAround('go-to', { target })
  const said = (id: string) => ({ id, kind: 'text', version: 0, data: { content: plainRichText(id) } })
  flow.groups.push({ id: 'there', title: '', position: { x: 0, y: 0 }, blocks: [said('first'), said('second')] })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, stillHost)
  return turns.flatMap(({ messages }) => messages).map(shown)
}

test('goes on at the first block of the group, or at the block', () => {
  expect(transcript({ groupId: 'there' })).toEqual(['first', 'second'])
  expect(transcript({ groupId: 'there', blockId: 'second' })).toEqual(['second'])
})

test('without a target, or when it is gone, the conversation goes on below', () => {
  expect(runKind('go-to', { target: null })).toMatchObject({ port: 'next', notes: [] })
  expect(runKind('go-to', { target: { groupId: 'gone' } }).notes.join()).toContain("Its target (group 'gone') is gone.")
})

test('has a port only while it has no target', () => {
  expect(goToBlock.ports({ target: null })).toEqual([{ id: 'next' }])
  expect(goToBlock.ports({ target: { groupId: 'g' } })).toEqual([])
})
