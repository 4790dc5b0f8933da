import { expect, test } from 'vitest'
import { featureNames, planOf } from '../../../access/plans'
import {
  presentCreditNotices,
  presentCurrentChatbot,
  presentEntitlements,
  presentSchedule,
  presentSubscription,
  presentUsage,
} from './presenter'

test('each credit stands beside what the plan has of it', () => {
  const plan = planOf('starter')
  const { limits } = plan
  const used = {
    chatbots: 1,
    seats: 2,
    emails: 3,
    speech: 9,
    messages: { month: 4, lifetime: 5 },
    training: 6,
    trainingOnce: 10,
    resyncs: 7,
    domains: 8,
  }
  expect(presentUsage(plan, { 'bonus-training': 40 }, used)).toEqual({
    ai_message_credits: {
      max: limits.ai_message_credits,
      used: 4,
      lifetime: limits.lifetime_credits,
      lifetime_used: 5,
    },
    training_credits: { max: limits.training_credits, used: 6 },
    training_lifetime_credits: 40,
    training_lifetime_credits_used: 10,
    chatbots: { max: limits.chatbots, used: 1 },
    seats: { max: limits.seats, used: 2 },
    email_credits: { max: limits.email_credits, used: 3 },
    speech_to_text_seconds: { max: limits.speech_to_text_seconds, used: 9 },
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

test('of a plan the features that it has are named', () => {
  const { features, features_list } = presentSubscription(planOf('starter'))
  expect(features_list).toHaveLength(Object.values(features).filter(Boolean).length)
  expect(features_list).toContain(featureNames.analytics)
  expect(features_list).not.toContain(featureNames.audit)
})

test('each share of the credits has its switch, and all are off for who may not see them', () => {
  const notices = { enabled: true, emails: ['a@example.com'], thresholds: [50, 90] }
  expect(presentCreditNotices(notices)).toEqual({
    ...notices,
    thresholds: { '50': true, '75': false, '90': true, '100': false },
  })
  expect(presentCreditNotices({ ...notices, thresholds: [75, 100] }).thresholds).toEqual({
    '50': false,
    '75': true,
    '90': false,
    '100': true,
  })
  expect(presentCreditNotices(null)).toEqual({
    enabled: false,
    emails: [],
    thresholds: { '50': false, '75': false, '90': false, '100': false },
  })
})

test('of the limits of a chatbot’s visitors those are told that are set, from one message on', () => {
  const [chatbot, ai, contents, web] = [
    { slug: 'bot' },
    {},
    { sources: { link: [], faq: [], text: [], document: [] } },
    {
      visibility: { limits: { by_visitor: 1, by_address: 0, by_chatbot: 30 }, schedule: { enabled: false } },
      embed: {},
      language: {},
      share: {},
    },
  ] as unknown as Parameters<typeof presentCurrentChatbot>
  expect(presentCurrentChatbot(chatbot, ai, contents, web).end_user_rate_limits).toEqual([
    { by: 'visitor', messages: 1, seconds: 60 },
    { by: 'chatbot', messages: 30, seconds: 60 },
  ])
})

test('a WhatsApp connection works, or has to be made again; without one there is none', () => {
  const connection = { gid: 'w1', phone_number: '+4712345678', registered: true }
  const shown = (whatsapp: object | null) => {
    const [chatbot, ai, contents, web] = [
      { slug: 'bot' },
      {},
      { sources: { link: [], faq: [], text: [], document: [] }, whatsapp },
      { visibility: { limits: {}, schedule: { enabled: false } }, embed: {}, language: {}, share: {} },
    ] as unknown as Parameters<typeof presentCurrentChatbot>
    return presentCurrentChatbot(chatbot, ai, contents, web).whatsapp_connection
  }
  const told = { id: 'w1', phone_number: '+4712345678', phone_number_registered: true }
  expect(shown({ ...connection, problem: null })).toEqual({ ...told, status_id: 1 })
  expect(shown({ ...connection, problem: 'refused' })).toEqual({ ...told, status_id: 2 })
  expect(shown(null)).toBeNull()
})

test('what a project may do is its plan’s and its add-ons’, each said apart', () => {
  const { plan, limits, addons } = presentEntitlements({ plan_id: 'starter', addons: { 3: 2, 4: 1 } })
  expect(plan).toBe('Starter')
  expect(limits).toContainEqual({ limit: 'seats', plan: 3, total: 5 })
  expect(limits).toContainEqual({ limit: 'custom_domains', plan: 0, total: 1 })
  expect(limits).toContainEqual({ limit: 'chatbots', plan: 3, total: 3 })
  expect(addons.find(({ id }) => id === 4)).toMatchObject({ quantity: 1, feature: 'Custom domain' })
  expect(addons.find(({ id }) => id === 1)).toMatchObject({ quantity: 0, adds: { ai_message_credits: 1_000 } })
})
