import { expect, test } from 'vitest'
import { asksOfComing, daysOf } from './days'

const named = (text: string) => [...daysOf(text)].sort()

test('days are told by their names in eight languages, with those between', () => {
  expect(named('Monday to Thursday')).toEqual([0, 1, 2, 3])
  expect(named('Mo–Fr 9–18 Uhr')).toEqual([0, 1, 2, 3, 4])
  expect(named('abierto de martes a sábado')).toEqual([1, 2, 3, 4, 5])
  expect(named('le dimanche')).toEqual([6])
  expect(named('samstags und sonntags')).toEqual([5, 6])
  expect(named('od poniedziałku do środy')).toEqual([0, 1, 2])
  expect(named('Do–So')).toEqual([3, 4, 5, 6])
  expect(named('zaterdag')).toEqual([5])
  expect(named('terça e sexta')).toEqual([1, 4])
  expect(named('Saturday to Monday')).toEqual([0, 5, 6])
  expect(named('at the weekend')).toEqual([5, 6])
})

test('abbreviations alone are no days, since they are words too', () => {
  expect(named('wo ist das so schön')).toEqual([])
  expect(named('so do I')).toEqual([])
  expect(named('Mo, Mi, Fr')).toEqual([0, 2, 4])
})

test('today and tomorrow are days where the day is known', () => {
  const friday = 4
  const asked = (text: string) => [...daysOf(text, friday)].sort()
  expect(asked('When do you close today?')).toEqual([4])
  expect(asked('and tomorrow')).toEqual([5])
  expect(asked('Habt ihr morgen auf?')).toEqual([5])
  expect(asked('¿Abren mañana?')).toEqual([5])
  expect(asked('Vous êtes ouverts aujourd’hui ?')).toEqual([4])
  expect(asked('Czy jutro jest otwarte?')).toEqual([5])
  expect([...daysOf('tomorrow', 6)]).toEqual([0])
  expect(named('When do you close today?')).toEqual([])
})

test('a morning is no tomorrow', () => {
  expect(asksOfComing('guten Morgen')).toBe(false)
  expect(asksOfComing('abren por la mañana')).toBe(false)
  expect([...daysOf('heute Morgen', 4)]).toEqual([4])
  expect(asksOfComing('what is it like today')).toBe(true)
})
