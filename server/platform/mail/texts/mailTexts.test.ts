import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { interfaceLanguages } from '../../../contracts/languages'
import type { MailBody } from '../mailBody'
import { renderBody } from '../renderBody'

test('mails are in each language of the interface', () => {
  const folders = readdirSync('src/i18n', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...interfaceLanguages].sort())
})

const link = 'https://parley.test/'
const language = 'de'
const billing = { template: 'billing', language, project: 'Laden', plan: 'Starter', until: '2026-12-01', link } as const
const credits = { template: 'credits', language, project: 'Laden', used: 1_234.5, max: 8_000 } as const
const bodies: MailBody[] = [
  { template: 'invitation', language, inviter: 'Ada', project: 'Laden', roles: ['Editor'], expires: '1. Mai', link },
  {
    template: 'invitation',
    language,
    inviter: 'Ada',
    project: 'Laden',
    roles: ['Editor'],
    expires: '1. Mai',
    link: null,
  },
  { template: 'reset', language, name: 'Ada', link },
  { template: 'registration', language, known: false, link },
  { template: 'registration', language, known: true, link },
  { template: 'password-changed', language, name: 'Ada', link },
  { template: 'email-change', language, name: 'Ada', link, changedTo: null },
  { template: 'email-change', language, name: 'Ada', link, changedTo: 'ada@example.org' },
  { ...billing, occasion: 'failed' },
  { ...billing, occasion: 'over' },
  { ...billing, occasion: 'trial_ends' },
  { ...credits, threshold: 50, plan: 'Growth', renewed: '2026-12-01', link },
  { ...credits, threshold: 100, plan: 'Growth', renewed: '2026-12-01', link },
  {
    ...{ template: 'over-limit', language, project: 'Laden', plan: 'Free', link },
    limits: [{ limit: 'chatbots', max: 1, names: ['Erster'], more: 2 }],
  },
  {
    ...{ template: 'notifications', language, title: 'Neu', more: 3, link, settings: link },
    lines: [{ text: 'Ein Besucher wartet', where: 'Laden', link }],
  },
]
test.each(bodies)('a mail of the template $template is German throughout', async (body) => {
  const { html, text } = await renderBody(body)
  expect(html).toContain('lang="de"')
  expect(text).not.toMatch(/\b(?:the|you|your|and|this|is|open|with|more)\b/i)
})

test('a number is written as the language does', async () => {
  const { text } = await renderBody({ ...credits, threshold: 50, plan: 'Growth', renewed: '2026-12-01', link })
  expect(text).toContain('1.234,5 von 8.000 Credits')
})
