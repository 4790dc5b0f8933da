import { expect, test } from 'vitest'
import type { InputRequest } from '../../../../engine/flow/effects'
import { MOST_OFFERED, offeredSchema } from '../../../contracts/offered'
import { offeredBy } from './offeredBy'

const typed = { placeholder: '', required: true, long: false, maxLength: 100 }
const options = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `o${at}`, label: `Option ${at}` }))
const field = { id: 'f', type: 'email' as const, required: true, placeholder: 'you@…', choices: [] }

test.each<[string, InputRequest | null, unknown]>([
  ['nothing', null, null],
  ['a field to type in', { input: 'text', ...typed }, null],
  ['a pause', { input: 'wait', timeout: 3 }, null],
  [
    'buttons, with where they lead',
    {
      ...{ input: 'choice', multiple: false, typing: false, placeholder: '' },
      options: [...options(1), { id: 'x', label: 'Shop', url: 'https://example.com' }],
    },
    {
      input: 'choice',
      multiple: false,
      options: [{ label: 'Option 0' }, { label: 'Shop', url: 'https://example.com' }],
    },
  ],
  [
    'the buttons of cards, which stand on the cards',
    { input: 'choice', multiple: false, typing: false, placeholder: '', options: options(2), shown: 'cards' },
    null,
  ],
  [
    'suggested answers beside a field',
    { input: 'text', ...typed, quickReplies: options(1) },
    { input: 'quick', multiple: false, options: [{ label: 'Option 0' }] },
  ],
  [
    'a scale',
    { input: 'rating', required: true, scale: 'stars', options: options(2) },
    { input: 'rating', scale: 'stars', options: [{ label: 'Option 0' }, { label: 'Option 1' }] },
  ],
  [
    'a form without what stood in it',
    {
      ...{ input: 'form', required: true, submitLabel: 'Go' },
      fields: [{ ...field, label: 'Email', value: 'ada@example.com', problem: 'Enter a valid email address' }],
    },
    {
      ...{ input: 'form', submit: 'Go' },
      fields: [{ label: 'Email', type: 'email', required: true, placeholder: 'you@…', choices: [] }],
    },
  ],
  [
    'a day',
    { input: 'date', placeholder: '', required: true, mode: 'date', range: true },
    { input: 'date', mode: 'date', range: true },
  ],
  [
    'files',
    { input: 'file', required: true, accept: ['image/*'], maxSize: 9, maxCount: 2 },
    { input: 'file', accept: ['image/*'], many: true },
  ],
])('%s', (_, request, expected) => {
  const offered = offeredBy(request)
  expect(offered).toEqual(expected)
  if (offered) expect(offeredSchema.parse(offered)).toEqual(offered)
})

test('of very many options the first are kept, and how many were left out', () => {
  const request = { input: 'choice', multiple: true, typing: false, placeholder: '' } as const
  const offered = offeredBy({ ...request, options: options(MOST_OFFERED + 3) })
  expect(offered).toMatchObject({ more: 3 })
  expect(offered && 'options' in offered ? offered.options : []).toHaveLength(MOST_OFFERED)
  expect(offeredBy({ ...request, options: options(MOST_OFFERED) })).not.toHaveProperty('more')
})
