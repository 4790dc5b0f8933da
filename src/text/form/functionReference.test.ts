import { expect, test } from 'vitest'
import { functions } from '../../../engine/expression/functions'
import { functionReference } from './functionReference'

test('every function that is taught is there and takes as many values', () => {
  for (const written of Object.values(functionReference).flat()) {
    const [, name, args] = /^(\w+)\((.*)\)$/.exec(written) ?? []
    if (name === undefined) continue
    const count = args === '' ? 0 : (args ?? '').replace(/"[^"]*"/g, 'quoted').split(',').length
    const { min, max } = functions.get(name) ?? { min: -1, max: -1 }
    expect(count, written).toBeGreaterThanOrEqual(min)
    expect(count, written).toBeLessThanOrEqual(max)
  }
})
