import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPattern, matchesPattern } from './pattern'

test.each([
  ['abc', 'xxabcxx', true],
  ['^abc$', 'xabc', false],
  ['', 'anything', true],
  ['a|b|', 'c', true],
  ['^(?:ab)+$', 'ababab', true],
  ['^(?<year>\\d{4})-\\d{2}$', '2026-11', true],
  ['^a{2,3}$', 'aaaa', false],
  ['^a{2,}?$', 'aaaa', true],
  ['^[^a-c\\d_-]+$', 'xyz', true],
  ['^[^a-c\\d_-]+$', 'x-z', false],
  ['^[\\]\\\\]+$', ']\\', true],
  ['\\bcat\\b', 'a cat!', true],
  ['\\bcat\\b', 'concat', false],
  ['\\u0041\\x42\\t', 'AB\t', true],
  ['^.$', '😀', true],
  ['^.$', '\n', false],
  ['/^ÄB/i', 'äb', true],
  ['/[a-z]+/i', 'ABC', true],
  ['a{', 'a{', true],
])('%j on %j is %j', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected)
})

test.each([
  '(',
  ')',
  '[a',
  '*a',
  'a**',
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(a)\\1',
  '\\p{L}',
  'a{3,2}',
  '[b-a]',
  '\\',
  'x'.repeat(501),
  '(x{99}){99}',
  '((){999}){999}',
  '('.repeat(60) + ')'.repeat(60),
])('is no pattern, and matches nothing: %j', (pattern) => {
  expect(isPattern(pattern)).toBe(false)
  expect(matchesPattern(pattern, 'abc')).toBe(false)
})

const atom = fc.constantFrom('a', 'b', '.', '\\d', '\\W', '[ab]', '[^a]', '^', '$', '\\b')
const tree = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    atom,
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,}', '*?')).map(([a, n]) => `(?:${a})${n}`),
  ),
})).node

test('agrees with JavaScript’s own expressions on what both know', () => {
  const property = fc.property(tree, fc.stringMatching(/^[ab1 \n]{0,8}$/), (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(new RegExp(pattern, 'u').test(text))
  })
  fc.assert(property, { seed: 20261121, numRuns: 3_000 })
})

test('patterns that hold a backtracking engine for ever are answered', () => {
  const text = `${'a'.repeat(20_000)}!`
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^.*.*.*.*.*x$'])
    expect(matchesPattern(pattern, text)).toBe(false)
})

test('a long pattern on a long text is given up, each of them alone is not', () => {
  const pattern = 'a?'.repeat(200)
  expect(matchesPattern(pattern, 'a')).toBe(true)
  expect(matchesPattern('a?', 'a'.repeat(64_000))).toBe(true)
  expect(matchesPattern(pattern, 'a'.repeat(64_000))).toBe(false)
})
