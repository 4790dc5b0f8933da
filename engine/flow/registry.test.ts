import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { EngineError } from '../errors'
import { createRegistry } from './registry'

test('two kinds of one name are refused', () => {
  const text = registry.get('text')
  expect(() => createRegistry([text, text])).toThrow(new EngineError('KIND_DUPLICATE', `'text'`))
})

test('a block that its kind can’t digest, and one of an unknown kind, have no ports and do no harm', () => {
  expect(registry.portsOf({ kind: 'buttons', data: { options: 7 } })).toEqual([])
  expect(registry.portsOf({ kind: 'text', data: null })).toEqual(registry.get('text').ports({}))
  expect(registry.portsOf({ kind: 'from-the-future', data: {} })).toEqual([])
})
