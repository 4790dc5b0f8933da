import { expect, test } from 'vitest'
import { optWord } from './optWords'

test.each<[string, 'stop' | 'start' | null]>([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Abmelden!', 'stop'],
  ['Me désabonner', 'stop'],
  ['退订', 'stop'],
  ['стоп', 'stop'],
  ['Start', 'start'],
  ['Does it stop at the station?', null],
  ['Please stop by tomorrow', null],
  ['', null],
  ['stop '.repeat(100_000), null],
])('%j', (text, expected) => {
  expect(optWord(text)).toBe(expected)
})
