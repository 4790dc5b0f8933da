import { expect, test } from 'vitest'
import { readPath, writePath } from './path'

const data = { options: [{ id: 'a', label: { value: 'one' } }, { id: 'b' }], saveTo: null }

test('a place deep in a list is read and changed, and what lies beside it is shared', () => {
  const next = writePath(data, ['options', '0', 'label', 'value'], 'two') as typeof data
  expect(readPath(next, ['options', '0', 'label', 'value'])).toBe('two')
  expect(next.options[1]).toBe(data.options[1])
  expect(data.options[0]?.label?.value).toBe('one')
})

test('a field that is not there yet is added, and reading one gives nothing', () => {
  expect(readPath(data, ['options', '1', 'url', 'value'])).toBeUndefined()
  expect(readPath(data, ['saveTo', 'x'])).toBeUndefined()
  expect(writePath(data, ['options', '1', 'url'], 'u')).toEqual({
    ...data,
    options: [data.options[0], { id: 'b', url: 'u' }],
  })
})
