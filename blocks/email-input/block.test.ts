import { expect, test } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { emailInputDefaults } from './schema'

const data = (change: object = {}) => ({ ...emailInputDefaults(), saveTo: 'email', ...change })

test('keeps the address trimmed', () => {
  const run = runKind('email-input', data(), { replies: [typed('  ada@lovelace.example ')] })
  expect(run).toMatchObject({ port: 'next', variables: { email: 'ada@lovelace.example' }, said: [] })
})

test('says the retry text at each invalid answer and leaves by invalid after the last', () => {
  const replies = ['ada', 'ada@', 'ada@home'].map(typed)
  const run = runKind('email-input', data({ retryText: plainRichText('Again, please') }), { replies })
  expect(run).toMatchObject({ port: 'invalid', said: ['Again, please', 'Again, please'] })
  expect(run.variables).not.toHaveProperty('email')
})

test('falls back to the message of the specification when the retry text is empty', () => {
  const run = runKind('email-input', data({ retryText: plainRichText('') }), { replies: [typed('ada')] })
  expect(run.said).toEqual(['Enter a valid email address'])
})

test('can be skipped when it is optional', () => {
  expect(runKind('email-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
  expect(runKind('email-input', data({ attempts: 1 }), { replies: [skipped] }).port).toBe('invalid')
})
