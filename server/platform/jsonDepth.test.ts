import { expect, test } from 'vitest'
import { jsonDepth } from './jsonDepth'

test.each([
  ['1', 0],
  ['""', 0],
  ['[]', 1],
  ['{}', 1],
  ['[{"a":[]}]', 3],
  ['{"a":{},"b":{}}', 2],
  ['[[],[],[[]]]', 3],
  // brackets in texts and keys don't count
  ['"[[["', 0],
  ['{"[[[":"{{{"}', 1],
  [String.raw`["\"[["]`, 1],
  [String.raw`["\\",["[[\\\""]]`, 2],
  // broken JSON is as deep as it came
  ['[[[', 3],
  ['["[[', 1],
  [']]][', 0],
])('%s is nested %i deep', (json, depth) => {
  expect(jsonDepth(json)).toBe(depth)
})
