import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../flow/schema'
import { placeNames } from './recordingPlaces'

const main: Flow = {
  ...emptyFlow(),
  groups: [
    {
      id: 'g1',
      title: 'Welcome',
      position: { x: 0, y: 0 },
      blocks: [{ id: 'b1', kind: 'start', version: 0, data: {} }],
    },
  ],
}
const other = { id: 'f2', title: 'Orders', flow: main } as never

test('a place is named by its group, block and way out; by its flow only where there are several', () => {
  const alone = placeNames({ main, others: [] }, registry)
  expect(alone({ flowId: null, groupId: 'g1' })).toBe('Welcome')
  const [group, block, port, ...more] = alone({ flowId: null, groupId: 'g1', blockId: 'b1', portId: 'next' }).split(
    ' > ',
  )
  expect([group, more]).toEqual(['Welcome', []])
  expect([block, port]).not.toContain('')
  const several = placeNames({ main, others: [other] }, registry)
  expect(several({ flowId: null, groupId: 'g1' })).toBe('Main flow > Welcome')
  expect(several({ flowId: 'f2', groupId: 'g1' })).toBe('Orders > Welcome')
})

test('what is gone is named by its id', () => {
  const several = placeNames({ main, others: [other] }, registry)
  expect(several({ flowId: 'f9', groupId: 'g9', blockId: 'b9', portId: 'p9' })).toBe('f9 > g9 > b9 > p9')
  expect(several({ flowId: null, groupId: 'g1', blockId: 'b9' })).toBe('Main flow > Welcome > b9')
})
