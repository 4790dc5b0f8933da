import { expect, test } from 'vitest'
import { readFile } from './readFile'

const fault = (source: string) => {
  try {
    readFile(source)
  } catch (error) {
    return (error as Error).message
  }
}

test('a file is read, a byte order mark before it and all', () => {
  expect(readFile('\ufeff{"a": [1]}')).toEqual({ a: [1] })
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
  expect(fault('PK\u0003\u0004…')).toContain('It is an archive (zip): unpack it')
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
  expect(readFile(JSON.stringify({ text }))).toEqual({ text })
})

test('20 MB are read, one character more is refused', () => {
  const whole = JSON.stringify('x'.repeat(20e6 - 2))
  expect(readFile(whole)).toHaveLength(20e6 - 2)
  expect(fault(`${whole} `)).toContain('It is larger than 20 MB.')
})

test('a text that begins like YAML is read as that; a byte order mark and comments before it do no harm', () => {
  expect(readFile('\ufeff# mine\napp:\n  mode: advanced-chat\n  list: [1, yes, 0o7, 2024-01-01]')).toEqual({
    app: { mode: 'advanced-chat', list: [1, 'yes', 7, '2024-01-01'] },
  })
  expect(readFile('---\n- a\n- &b {c: 1}\n- *b')).toEqual(['a', { c: 1 }, { c: 1 }])
  expect(fault('app:\n  - a\n b')).toContain('It is neither JSON nor YAML: line 3, column 2.')
})

test('YAML that would fill the memory, or lies too deep, is refused in words', () => {
  const laughs = Array.from(
    { length: 12 },
    (_, n) =>
      `a${n}: &a${n} [${
        n === 0
          ? 'x'
          : Array(10)
              .fill(`*a${n - 1}`)
              .join(', ')
      }]`,
  )
  expect(fault(laughs.join('\n'))).toContain('It holds more than 1000000 values.')
  expect(fault(`a: &a 1\nb: [${Array(1_001).fill('*a').join(', ')}]`)).toContain('It has more than 1000 aliases.')
  expect(fault(`a: ${'['.repeat(5_000)}`)).toBe('The flow is nested too deeply. It is deeper than 65 levels.')
  expect(fault(Array.from({ length: 70 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'))).toContain(
    'deeper than 65 levels',
  )
  expect(fault('a: 1\n---\nb: 2')).toContain('It is neither JSON nor YAML')
  expect(fault(`a: ${'x'.repeat(20e6)}`)).toContain('It is larger than 20 MB.')
})
