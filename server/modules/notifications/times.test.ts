import { expect, test } from 'vitest'
import { personalSchema } from '../../contracts/personalNotifications'
import { afterQuiet, mailTime } from './times'

const settings = (change: object) => personalSchema.parse(change)
const at = (time: string) => new Date(`2026-03-28T${time}Z`)
const night = { enabled: true, from: 22 * 60, to: 7 * 60 }

test('a mail waits a minute, so that what is seen in between is not mailed', () => {
  expect(mailTime(settings({}), at('12:00:10'))).toEqual(at('12:01:10'))
})

test('hourly mails go out at the full hour, daily ones at eight by the clocks of the member', () => {
  expect(mailTime(settings({ mail: 'hourly' }), at('12:00:10'))).toEqual(at('13:00:00'))
  expect(mailTime(settings({ mail: 'hourly' }), at('12:59:30'))).toEqual(at('14:00:00'))
  expect(mailTime(settings({ mail: 'daily', time_zone: 'Europe/Berlin' }), at('05:00:00'))).toEqual(at('07:00:00'))
  // the clocks go forward in the night after
  expect(mailTime(settings({ mail: 'daily', time_zone: 'Europe/Berlin' }), at('12:00:00'))).toEqual(
    new Date('2026-03-29T06:00:00Z'),
  )
})

test('in quiet hours everything waits for their end, over midnight too', () => {
  const quiet = settings({ quiet: night, time_zone: 'Europe/Berlin' })
  expect(afterQuiet(quiet, at('20:59:00'))).toEqual(at('20:59:00'))
  expect(afterQuiet(quiet, at('21:00:00'))).toEqual(new Date('2026-03-29T05:00:00Z'))
  expect(afterQuiet(quiet, at('02:00:00'))).toEqual(at('06:00:00'))
  expect(mailTime(quiet, at('20:59:30'))).toEqual(new Date('2026-03-29T05:00:00Z'))
  const lunch = settings({ quiet: { enabled: true, from: 12 * 60, to: 13 * 60 } })
  expect(afterQuiet(lunch, at('12:30:00'))).toEqual(at('13:00:00'))
  expect(afterQuiet(settings({ quiet: { enabled: true, from: 60, to: 60 } }), at('01:00:00'))).toEqual(at('01:00:00'))
})
