import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { locationDefaults } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const place = { ...locationDefaults(), latitude: still('51.5'), longitude: still('-0.12'), name: still('Workshop') }

test('says where it is in words, and as a place for channels that have maps', () => {
  const { turns } = replay(createProgram(flowAround('location', place), registry), { replies: [] }, stillRuntime)
  expect(turns[0]?.messages).toMatchObject([
    { kind: 'text', native: { type: 'location', latitude: 51.5, longitude: -0.12, name: 'Workshop', address: '' } },
  ])
  expect(runKind('location', place).said).toEqual(['Workshop\n51.5, -0.12'])
})

test('a place that is none is not shown, and its step says why', () => {
  for (const latitude of ['91', 'north', '']) {
    const { said, port, notes } = runKind('location', { ...place, latitude: still(latitude) })
    expect([said, port, notes]).toEqual([[], 'next', ['Enter a latitude between -90 and 90, such as 51.5074']])
  }
  const { problems } = registry.get('location')
  expect(problems(locationDefaults()).map(({ path }) => path)).toEqual(['latitude', 'longitude'])
  expect(problems({ ...place, longitude: still('181') }).map(({ path }) => path)).toEqual(['longitude'])
})
