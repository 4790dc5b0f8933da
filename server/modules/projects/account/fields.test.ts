import { expect, test } from 'vitest'
import type { z } from 'zod'
import { type Account, accountSchema, currentChatbotSchema } from '../../../contracts/account'
import { hideUnseen } from './fields'

const { user } = accountSchema.shape
const PRIVATE = 'private'
const fieldsOf = (schema: z.ZodObject) => Object.fromEntries(Object.keys(schema.shape).map((name) => [name, PRIVATE]))
const account = {
  user: { ...fieldsOf(user), subscription: fieldsOf(user.shape.subscription), chatbot: fieldsOf(currentChatbotSchema) },
} as unknown as Account

/** Each field that is kept back has an empty value that its schema takes; none is left out. */
function expectEmptied(schema: z.ZodObject, fields: object): void {
  expect(Object.keys(fields)).toEqual(Object.keys(schema.shape))
  for (const [name, value] of Object.entries(fields)) {
    expect(value, name).toBeDefined()
    if (value !== PRIVATE) expect([name, schema.shape[name].safeParse(value).error]).toEqual([name, undefined])
  }
}

test('who may see nothing gets every field of the account, what is kept back empty', () => {
  const hidden = hideUnseen(account, () => false)
  expectEmptied(user, hidden.user)
  expectEmptied(user.shape.subscription, hidden.user.subscription)
  expect(hidden.user.chatbot).toBeNull()
})

test('who may see the chatbot alone gets every field of it, what is kept back empty', () => {
  const { chatbot } = hideUnseen(account, (feature) => feature === 'chatbots.view').user
  expectEmptied(currentChatbotSchema, chatbot ?? {})
  // of several values the first, which is the usual one
  expect(chatbot?.satisfaction_survey.rating.type).toBe('emoji')
})

test('who may see everything gets it as it is', () => {
  expect(hideUnseen(account, () => true)).toEqual(account)
})
