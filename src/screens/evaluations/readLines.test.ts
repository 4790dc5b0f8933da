import { expect, test } from 'vitest'
import { readLines } from './readLines'

test('lines are read with the words after a bar or a tab, and a question mark for what is not in the sources', () => {
  const text =
    'What does it cost?\n\nHow long do I have? | 30 days, free of charge\r\nWho are you?\tParley\nWho wins?|?\n | x'
  expect(readLines(text).map(({ line, body }) => [line, body.question, body.words, body.unknown])).toEqual([
    [1, 'What does it cost?', [], false],
    [3, 'How long do I have?', ['30 days', 'free of charge'], false],
    [4, 'Who are you?', ['Parley'], false],
    [5, 'Who wins?', [], true],
    [6, '', ['x'], false],
  ])
})
