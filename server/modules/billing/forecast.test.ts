import { expect, test } from 'vitest'
import { forecastOf } from './forecast'

const tenth = new Date('2026-11-11T00:00:00Z')

test('a month goes on as it began', () => {
  expect(forecastOf({ used: 100, max: 1_000 }, tenth)).toEqual({ byMonthEnd: 300, runsOut: null })
})

test('what will be used up is told by its day, unless it is already', () => {
  expect(forecastOf({ used: 100, max: 200 }, tenth)).toEqual({
    byMonthEnd: 300,
    runsOut: new Date('2026-11-21T00:00:00Z'),
  })
  expect(forecastOf({ used: 100, max: 100 }, tenth).runsOut).toBeNull()
})

test('nothing used stays nothing, and a month’s first day tells nothing', () => {
  expect(forecastOf({ used: 0, max: 10 }, tenth)).toEqual({ byMonthEnd: 0, runsOut: null })
  const early = new Date('2026-11-01T23:59:59.999Z')
  expect(forecastOf({ used: 9, max: 10 }, early)).toEqual({ byMonthEnd: null, runsOut: null })
  expect(forecastOf({ used: 1, max: 40 }, new Date('2026-11-02T00:00:00Z'))).toEqual({ byMonthEnd: 30, runsOut: null })
})
