import { expect, test } from 'vitest'
import { unlisted } from './growth/unlisted'

// they are measured in growth.long.test.ts: a machine that is busy with other tests measures badly
test('every function that takes foreign text is measured, or is known to take none', () => {
  expect(unlisted()).toEqual([])
})
