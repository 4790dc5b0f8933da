import { expect, test } from 'vitest'
import { createCountingIds } from '../../engine/flow/ids'
import { importTypebot } from '../../engine/interop/typebot/importTypebot'
import { type RichText, richTextToString } from '../../engine/values/richText'
import { importBlock, typebotFiles, typebotSource } from '../../tests/support/typebot'
import { registry } from '../registry'

const email = (options: Record<string, unknown>, ...variables: string[]) =>
  importBlock({ type: 'Email', options: { credentialsId: 'default', ...options } }, ...variables)

test('a mail keeps its recipients, its subject and its text', () => {
  const { kind, data, variable, notes } = email(
    {
      isCustomBody: true,
      recipients: ['{{Email}}', 'team@example.com'],
      cc: ['boss@example.com'],
      replyTo: 'support@example.com',
      subject: 'Your plan',
      body: 'Hey {{Email}},\n\nbye.',
    },
    'Email',
  )
  expect(kind).toBe('send-email')
  expect(data).toMatchObject({
    to: [
      { address: { type: 'dynamic', parts: [{ type: 'variable', variable_id: variable }] } },
      { address: { type: 'static', value: 'team@example.com' } },
    ],
    cc: [{ address: { value: 'boss@example.com' } }],
    replyTo: [{ address: { value: 'support@example.com' } }],
    subject: { type: 'static', value: 'Your plan' },
  })
  expect(richTextToString(data.body as unknown as RichText, () => 'VARIABLE')).toBe('Hey VARIABLE,\n\nbye.')
  expect(notes).toEqual([])
})

test('addresses that are none, and too many, are left out and noted', () => {
  const recipients = ['nobody', ...Array.from({ length: 7 }, (_, n) => `a${n}@example.com`)]
  const { data, notes } = email({ isCustomBody: true, recipients, body: 'x' })
  expect(data.to).toHaveLength(5)
  expect(notes).toEqual([
    "An address in 'to' that is none is left out.",
    "Of the addresses in 'to' the first 5 are kept.",
  ])
})

test('a body that the product made by itself, or of HTML, is said to be missing or text', () => {
  expect(email({ recipients: [] }).notes).toEqual(['The body was made of all answers by itself: write one here.'])
  expect(email({ isBodyCode: true, body: '<b>Hi</b>' }).notes).toEqual([
    'The body was written in HTML, and stands in the mail as text.',
  ])
})

test("every mail of other people's flows becomes a valid block", () => {
  const mails = typebotFiles().flatMap((name) => {
    const { flow } = importTypebot(JSON.parse(typebotSource(name)), registry, createCountingIds('new'))
    return flow.groups.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'send-email'))
  })
  expect(mails).not.toEqual([])
  for (const { data } of mails) expect(registry.get('send-email').schema.safeParse(data).error).toBeUndefined()
})
