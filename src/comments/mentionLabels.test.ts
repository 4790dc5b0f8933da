import { expect, test } from 'vitest'
import { matchPeople, mentionLabels, typedMention } from './mentionLabels'

test('people of one name can be told apart', () => {
  const people = ['Ada', 'Ben', 'Ada'].map((name, index) => ({ gid: `${index}`, name }))
  expect(mentionLabels(people).map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Ada (2)'])
})

test('a mention is typed from its @ to the caret, in one line, not in an address', () => {
  expect(typedMention('Hi @Ada L', 9)).toEqual({ from: 3, search: 'Ada L' })
  expect(typedMention('@', 1)).toEqual({ from: 0, search: '' })
  expect(typedMention('Hi @Ada L', 5)).toEqual({ from: 3, search: 'A' })
  for (const text of ['me@example', 'Hi', '@Ada\nyes', '@Ada one two three four'])
    expect(typedMention(text, text.length)).toBeNull()
})

test('a name is found by the beginning of any of its words', () => {
  const people = [{ name: 'Ada Lovelace' }, { name: 'Ben Cook' }]
  expect(matchPeople(people, 'love')).toEqual([people[0]])
  expect(matchPeople(people, 'ben c')).toEqual([people[1]])
  expect(matchPeople(people, 'velace')).toEqual([])
  expect(matchPeople(people, '')).toEqual(people)
})
