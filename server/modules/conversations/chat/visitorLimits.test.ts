import { expect, it } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { visibilitySchema } from '../../../contracts/web/settings'
import { ApiError } from '../../../platform/errors'
import { createAttempts } from '../../../platform/http/attempts'
import type { Limits } from '../../../platform/http/limits'
import { createVisitorLimits } from './visitorLimits'

it('lets exactly as many through as each limit says', async () => {
  const clock = createTestClock()
  const counting: Pick<Limits, 'attempts'> = {
    attempts(_, most, windowMs) {
      const own = createAttempts(clock, most, windowMs)
      return { take: async (key, count) => own.take(key, count), forgive: async (key) => own.forgive(key) }
    },
  }
  const limits = createVisitorLimits(counting)
  for (const most of [1, 2, 3, 7, 60, 999, 1_000, 9_999, 99_999]) {
    const settings = visibilitySchema.parse({ limits: { by_chatbot: most } })
    const sender = { chatbotId: `of ${most}`, visitor: 'v', address: 'a' }
    for (let message = 0; message < most; message++) await limits.take(settings, sender)
    await expect(limits.take(settings, sender), `${most}`).rejects.toMatchObject({ code: 'visitor_limit' })
  }
})

it('says that it is too much in the words of the settings, without any in its own', async () => {
  const limits = createVisitorLimits({
    attempts: () => ({
      take: () => Promise.reject(new ApiError('too_many_requests', { retryAfter: 7 })),
      forgive: async () => {},
    }),
  })
  const sender = { chatbotId: 'b', visitor: 'v', address: 'a' }
  const told = async (message: string) => {
    const settings = visibilitySchema.parse({ limits: { by_visitor: 1, message } })
    const refusal = await limits.take(settings, sender).catch((error: ApiError) => error)
    return refusal && { status: refusal.status, retryAfter: refusal.retryAfter, ...refusal.envelope }
  }
  const refused = { status: 429, retryAfter: 7, success: false, code: 'visitor_limit' }
  const own = 'You are sending messages too quickly. Please wait a moment.'
  expect(await told('')).toEqual({ ...refused, data: own })
  expect(await told('Slow down, please.')).toEqual({ ...refused, data: 'Slow down, please.' })
})
