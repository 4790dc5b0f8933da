import { expect, test } from 'vitest'
import { readJson } from './readJson'

const fault = (source: string) => {
  try {
    readJson(source)
  } catch (error) {
    return (error as Error).message
  }
}

test('a file is read, a byte order mark before it and all', () => {
  expect(readJson('\ufeff{"a": [1]}')).toEqual({ a: [1] })
})

test('broken JSON names the line and column', () => {
  expect(fault('{\n  "a": 1,\n  b: 2\n}')).toBe(
    'The file is not a flow that can be read. It is not JSON: line 3, column 3.',
  )
})

test('a file that was cut off, one that is empty and one that is no JSON say so', () => {
  expect(fault('{"groups": [')).toContain('It is not JSON: it stops in the middle.')
  expect(fault(' \n')).toContain('It is empty.')
  expect(fault('<html>')).toContain('It is not JSON.')
})

test.each([5_000, 1_000_000])(
  'nesting %i deep is refused where it gets too deep, without a stack overflow',
  (depth) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const column = open.length * 65 + 1
      const message = `The flow is nested too deeply. line 1, column ${column} is deeper than 65 levels.`
      expect(fault(open.repeat(depth) + 1 + close.repeat(depth))).toBe(message)
      expect(fault(open.repeat(depth))).toBe(message)
    }
  },
)

test('brackets inside of texts are not nesting', () => {
  const text = `${'['.repeat(100)}"\\${'{'.repeat(100)}`
  expect(readJson(JSON.stringify({ text }))).toEqual({ text })
})

test('20 MB are read, one character more is refused', () => {
  const whole = JSON.stringify('x'.repeat(20e6 - 2))
  expect(readJson(whole)).toHaveLength(20e6 - 2)
  expect(fault(`${whole} `)).toContain('It is larger than 20 MB.')
})
