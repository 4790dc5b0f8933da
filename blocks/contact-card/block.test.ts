import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { contactCardDefaults, contactCardSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const card = { ...contactCardDefaults(), name: still('Ada'), phone: still('+44 20 7946 0958') }

test('says who it is in words, and as a card for channels that have them', () => {
  const { turns } = replay(createProgram(flowAround('contact-card', card), registry), { replies: [] }, stillRuntime)
  expect(turns[0]?.messages).toMatchObject([
    {
      ...{ kind: 'text', native: { type: 'contact', name: 'Ada', phone: '+44 20 7946 0958', email: '' } },
      text: [{ children: [{ text: 'Ada' }] }, { children: [{ link: 'tel:+442079460958' }] }],
    },
  ])
})

test('without a name there is none', () => {
  expect(runKind('contact-card', { ...card, name: still(' ') })).toMatchObject({
    ...{ said: [], port: 'next', notes: ['There is no name to show.'] },
  })
})

test('says what is missing or wrong', () => {
  expect(
    registry
      .get('contact-card')
      .problems(contactCardDefaults())
      .map(({ path }) => path),
  ).toEqual(['name', 'phone'])
  expect(contactCardSchema.safeParse({ ...card, email: still('nobody') }).success).toBe(false)
  expect(contactCardSchema.safeParse({ ...card, url: still('javascript:alert(1)') }).success).toBe(false)
})
