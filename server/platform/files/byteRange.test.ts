import { expect, test } from 'vitest'
import { byteRange } from './byteRange'

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=5-5', { start: 5, end: 5 }],
  [' bytes=0-0 ', { start: 0, end: 0 }],
  // to the end, and never beyond it
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=90-99', { start: 90, end: 99 }],
  // the last ones
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-100', { start: 0, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  // none
  ['bytes=100-', 'none'],
  ['bytes=100-200', 'none'],
  ['bytes=-0', 'none'],
  // the whole, as for what can't be read
  ['bytes=-', null],
  ['bytes=9-8', null],
  ['bytes=0-9,20-29', null],
  ['xbytes=0-9', null],
  ['bytes=0-9x', null],
  ['items=0-9', null],
  ['bytes=a-b', null],
  [`bytes=${'9'.repeat(16)}-`, null],
  [undefined, null],
] as const)('of 100 bytes, %s is %j', (range, wanted) => {
  expect(byteRange({ range }, 100, '"tag"')).toEqual(wanted)
})

test('who resumes a download gets a range of that file alone', () => {
  const range = 'bytes=10-'
  expect(byteRange({ range, 'if-range': '"tag"' }, 100, '"tag"')).toEqual({ start: 10, end: 99 })
  expect(byteRange({ range, 'if-range': '"other"' }, 100, '"tag"')).toBeNull()
})
