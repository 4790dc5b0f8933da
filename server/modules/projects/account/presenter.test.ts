import { expect, test } from 'vitest'
import { planOf } from '../../../access/plans'
import { presentSchedule, presentUsage } from './presenter'

test('each credit stands beside what the plan has of it', () => {
  const plan = planOf('starter')
  const { limits } = plan
  const used = {
    chatbots: 1,
    seats: 2,
    emails: 3,
    messages: { month: 4, lifetime: 5 },
    training: 6,
    resyncs: 7,
    domains: 8,
  }
  expect(presentUsage(plan, used)).toEqual({
    ai_message_credits: {
      max: limits.ai_message_credits,
      used: 4,
      lifetime: limits.lifetime_credits,
      lifetime_used: 5,
    },
    training_credits: { max: limits.training_credits, used: 6 },
    // no plan has some
    training_lifetime_credits: 0,
    training_lifetime_credits_used: 0,
    chatbots: { max: limits.chatbots, used: 1 },
    seats: { max: limits.seats, used: 2 },
    email_credits: { max: limits.email_credits, used: 3 },
    speech_to_text_seconds: { max: limits.speech_to_text_seconds, used: 0 },
    resync_credits: { max: limits.resync_credits, used: 7 },
    custom_domains: { max: limits.custom_domains, used: 8 },
  })
})

test('opening hours are days that have some, then what differs, and nothing where they are off', () => {
  const hours = [{ from: '09:00', to: '17:00' }]
  const schedule = {
    enabled: true,
    time_zone: 'Europe/Oslo',
    week: [hours, [], [], [], [], [], hours],
    exceptions: [{ date: '2026-12-24', hours: [] }],
  } as unknown as Parameters<typeof presentSchedule>[0]
  const time_zone = 'Europe/Oslo'
  expect(presentSchedule(schedule)).toEqual([
    { day: 'monday', time_zone, hours },
    { day: 'sunday', time_zone, hours },
    { day: '2026-12-24', time_zone, hours: [] },
  ])
  expect(presentSchedule({ ...schedule, enabled: false })).toEqual([])
})
