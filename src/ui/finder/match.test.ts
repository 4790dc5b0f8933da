import { expect, test } from 'vitest'
import { excerpt, fold, matchNames, scoreText, searchWords } from './match'

test('names match in part and with letters left out, the best first', () => {
  const names = ['Zoom to fit', 'Zoom in', 'Zoom out', 'Select all']
  const found = (search: string) => matchNames(names, search, (name) => name, 10).map(({ item }) => item)
  expect(found('zoom')).toEqual(expect.arrayContaining(['Zoom in', 'Zoom out']))
  expect(found('zoom o')[0]).toBe('Zoom out')
  expect(found('slct all')[0]).toBe('Select all')
  expect(found('xyz')).toEqual([])
})

test('a match says which letters', () => {
  expect(matchNames(['Select all'], 'all', (name) => name, 1)[0]?.ranges).toEqual([[7, 10]])
})

test('texts hold every word, whatever accents; together at the beginning is best', () => {
  const score = (text: string, search: string) => scoreText(fold(text), searchWords(search))
  expect(score('What is your name?', 'Nämë what')).toBeGreaterThan(0)
  expect(score('What is your name?', 'name age')).toBe(0)
  expect(score('Your name', 'your name')).toBeGreaterThan(score('Say your name', 'your name'))
  expect(score('Say your name', 'your name')).toBeGreaterThan(score('Name: yours, your', 'your name'))
})

test('an excerpt shows the match, also far into a long text', () => {
  const { line, ranges } = excerpt(`${'word '.repeat(60)}Überraschung am Ende`, searchWords('uberraschung'))
  expect(ranges.map(([from, to]) => line.slice(from, to))).toEqual(['Überraschung'])
  expect(line.startsWith('…')).toBe(true)
})
