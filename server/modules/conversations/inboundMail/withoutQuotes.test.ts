import { expect, test } from 'vitest'
import { withoutQuotes } from './withoutQuotes'

const cases: readonly [name: string, mail: string, said: string][] = [
  ['a quotation with the line above it', 'Yes.\n\nOn 23 Nov 2026 10:00, Ada wrote:\n> Shall we?', 'Yes.'],
  [
    'such a line that is wrapped',
    'Yes.\n\nOn Mon, 23 Nov 2026 at 10:00\nAda <a@example.com> wrote:\n\n> Shall we?',
    'Yes.',
  ],
  ['German', 'Ja.\n\nAm 23.11.2026 um 10:00 schrieb Ada:\n> Sollen wir?', 'Ja.'],
  ['Japanese', 'はい。\n\n2026年11月23日 10:00 Ada <a@example.com>:\n> いいですか', 'はい。'],
  ['the fields of Outlook', 'Yes.\n\nFrom: Ada\nSent: Monday\nTo: Vera\nSubject: Hi\n\nShall we?', 'Yes.'],
  ['German fields', 'Ja.\n\nVon: Ada\nGesendet: Montag\nAn: Vera\n\nSollen wir?', 'Ja.'],
  ['an original message', 'Yes.\n-----Original Message-----\nShall we?', 'Yes.'],
  ['a signature', 'Yes.\n-- \nVera, Example Inc.', 'Yes.'],
  ['answers between what is quoted', '> One?\nYes.\n> Two?\nNo.', 'Yes.\nNo.'],
  ['nothing but a quotation', '> Shall we?', '> Shall we?'],
  [
    'words that look like a field',
    'From: where do you ship?\nI would like to know.',
    'From: where do you ship?\nI would like to know.',
  ],
  ['a line that ends with a colon', 'My list:\n1. tea\n2. milk', 'My list:\n1. tea\n2. milk'],
]
test.each(cases)('what a mail says is told from %s', (_, mail, said) => {
  expect(withoutQuotes(mail.replaceAll('\n', '\r\n'))).toBe(said)
})
