import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import { flowAround } from '../../tests/support/conversations'
import { registry } from '../registry'
import { abSplit } from './block'
import { abSplitDefaults, abSplitSchema, evenly } from './schema'

const paths = [
  { id: 'old', label: 'Old page', percent: 70 },
  { id: 'new', label: '', percent: 30 },
]
const split = (change: object = {}) => ({ paths, saveTo: null, ...change })

function run(data: object, chance: number, kept = '') {
  const program = createProgram(flowAround('ab-split', data, { v: kept }), registry)
  const drawn: RuntimeEffect[] = []
  const { turns } = replay(program, { replies: [] }, (effect) => {
    drawn.push(effect)
    return chance
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { port: step?.port, kept: turns[0]?.variables.v, draws: drawn.length }
}

test.each([
  [0, 'old'],
  [0.699999, 'old'],
  [0.7, 'new'],
  [0.999999, 'new'],
])('draws by the percents: %d', (chance, port) => {
  expect(run(split(), chance)).toMatchObject({ port, draws: 1 })
})

test('a path of 0 % is never drawn', () => {
  const none = [
    { id: 'a', label: '', percent: 0 },
    { id: 'b', label: '', percent: 100 },
    { id: 'c', label: '', percent: 0 },
  ]
  for (const chance of [0, 0.5, 0.9999999]) expect(run(split({ paths: none }), chance).port).toBe('b')
})

test('keeps the path by its name, or its letter, and takes that again without drawing', () => {
  const sticky = split({ saveTo: 'v' })
  expect(run(sticky, 0)).toEqual({ port: 'old', kept: 'Old page', draws: 1 })
  expect(run(sticky, 0.9)).toEqual({ port: 'new', kept: 'B', draws: 1 })
  expect(run(sticky, 0, 'B')).toEqual({ port: 'new', kept: 'B', draws: 0 })
  expect(run(sticky, 0, 'A path that is gone')).toEqual({ port: 'old', kept: 'Old page', draws: 1 })
})

test('percents must add up to 100, and names differ', () => {
  const issues = (change: object) =>
    abSplitSchema.safeParse(split(change)).error?.issues.map(({ path, message }) => [path.join('.'), message])
  const [old, other] = paths
  expect(issues({ paths: [old, { ...other, percent: 20 }] })).toEqual([['paths', 'Must add up to 100 %, not 90 %']])
  expect(issues({ paths: [{ ...old, label: 'B' }, other] })).toEqual([
    ['paths.1.label', 'Another path already has this name'],
  ])
  expect(issues({ paths: [{ ...old, label: 'x'.repeat(76) }, other] })).toEqual([
    ['paths.0.label', 'Must not exceed 75 characters'],
  ])
  expect(abSplitSchema.safeParse(split({ paths: [{ ...old, percent: 100 }] })).success).toBe(false)
})

test.each([2, 3, 6, 7, 10])('%d paths are distributed evenly, to 100', (count) => {
  const percents = evenly(count)
  expect(percents.reduce((sum, percent) => sum + percent)).toBe(100)
  expect(Math.max(...percents) - Math.min(...percents)).toBeLessThanOrEqual(1)
})

test('has a port with its name and row for each path', () => {
  expect(abSplit.ports(split())).toEqual([
    { id: 'old', label: 'Old page', row: 'old' },
    { id: 'new', label: 'B', row: 'new' },
  ])
  expect(abSplitDefaults(() => 'x').paths.map(({ percent }) => percent)).toEqual([50, 50])
})
