import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { panels } from '../screens/builder/panels/panelTable'
import { iconOf } from './kindFaces'

const namesakes = (icons: readonly [name: string, icon: unknown][]) =>
  icons.flatMap(([name, icon], at) =>
    icons.slice(at + 1).flatMap(([other, same]) => (same === icon ? [`${name} and ${other}`] : [])),
  )

test('no two kinds have one icon: a condition is told from an A/B split at a glance', () => {
  expect(namesakes(registry.kinds.map(({ kind }) => [kind, iconOf(kind)]))).toEqual([])
})

test('no two panels have one icon', () => {
  expect(namesakes(panels.map(({ id, icon }) => [id, icon]))).toEqual([])
})
