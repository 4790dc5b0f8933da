import { expect, test } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { answerName } from './answerName'

test.each([
  ['What is your name?', 'Name'],
  ['Thanks! And your email address, please?', 'Email address'],
  ['Your order number:', 'Order number'],
  ['Wie heißen Sie?', undefined],
  ['Is your team larger than ten people today?', undefined],
  ['Tell us what you want', undefined],
  ['', undefined],
])('“%s” is kept as %s', (question, name) => {
  expect(answerName(plainRichText(question))).toBe(name)
})
