import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { interfaceLanguages } from '../../../contracts/languages'
import type { MailBody } from '../mailBody'
import { renderBody } from '../renderBody'
import { mailTexts } from './mailTexts'

test('mails are in each language of the interface', () => {
  const folders = readdirSync('src/i18n', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...interfaceLanguages].sort())
})

const link = 'https://parley.test/'
const language = 'de' as const
const billing = { template: 'billing', language, project: 'Laden', plan: 'Starter', until: '2026-12-01', link } as const
const credits = { template: 'credits', language, project: 'Laden', used: 1_234.5, max: 8_000 } as const
const invitation = { language, inviter: 'Ada', project: 'Laden', roles: ['Editor'], expires: '1. Mai' } as const
const handOff = {
  template: 'hand-off',
  ...{ language, chatbot: 'Laden', team: 'Verkauf', note: 'Eilt', question: 'Wann?', cut: true, link },
  messages: [
    { who: 'Visitor', text: 'Wann?' },
    { who: 'Bot', text: 'Bald.' },
  ],
} as const
const comment = {
  template: 'comment',
  ...{ language, who: 'Ada', text: 'Gut', chatbot: 'Laden', flow: '', place: 'Start', link },
  earlier: [{ who: 'Eva', text: 'So?' }],
} as const
const weekly = {
  template: 'weekly',
  ...{ language, about: 'Laden', week: '2.–8. November 2026', figures: [], unanswered: [] },
} as const

/**
 * Each template for people of Parley: the type wants all but what editors write and what visitors read, which are in
 * those languages.
 */
const bodiesOf: {
  [Template in Exclude<MailBody['template'], 'flow' | 'answer'>]: Extract<MailBody, { template: Template }>[]
} = {
  invitation: [
    { template: 'invitation', ...invitation, link },
    { template: 'invitation', ...invitation, link: null },
  ],
  reset: [{ template: 'reset', language, name: 'Ada', link }],
  registration: [
    { template: 'registration', language, known: false, link },
    { template: 'registration', language, known: true, link },
  ],
  'password-changed': [{ template: 'password-changed', language, name: 'Ada', link }],
  security: (
    [
      ...['newBrowser', 'twoFactorOn', 'twoFactorOff', 'twoFactorOffByOperator'],
      ...['recoveryCodeUsed', 'recoveryCodesRenewed'],
      ...['passkeyAdded', 'passkeyRemoved', 'passkeyCopied'],
    ] as const
  ).map((what) => ({
    ...({ template: 'security', language, name: 'Ada', what } as const),
    ...{ device: 'Firefox, Linux', address: '192.0.2.7', time: '1. Mai', link },
  })),
  'email-change': [
    { template: 'email-change', language, name: 'Ada', link, changedTo: null },
    { template: 'email-change', language, name: 'Ada', link, changedTo: 'ada@example.org' },
  ],
  billing: [
    { ...billing, occasion: 'failed' },
    { ...billing, occasion: 'over' },
    { ...billing, occasion: 'trial_ends' },
  ],
  credits: [
    { ...credits, threshold: 50, plan: 'Growth', renewed: '2026-12-01', link },
    { ...credits, threshold: 100, plan: 'Growth', renewed: '2026-12-01', link },
  ],
  'over-limit': [
    {
      ...{ template: 'over-limit', language, project: 'Laden', plan: 'Free', link },
      limits: [{ limit: 'chatbots', max: 1, names: ['Erster'], more: 2 }],
    },
  ],
  notifications: [
    {
      ...{ template: 'notifications', language, title: 'Neu', more: 3, link, settings: link },
      lines: [{ text: 'Ein Besucher wartet', where: 'Laden', link }],
    },
  ],
  'hand-off': [
    { ...handOff, email: 'eva@example.org', isFirst: true },
    { ...handOff, email: null, isFirst: false },
  ],
  'left-message': [
    {
      template: 'left-message',
      language,
      chatbot: 'Laden',
      name: 'Eva',
      email: 'eva@example.org',
      message: 'Hallo',
      link,
    },
  ],
  comment: [
    { ...comment, mentioned: true },
    { ...comment, mentioned: false },
  ],
  connection: [
    { template: 'connection', language, project: 'Laden', vendor: 'HubSpot', account: 'laden.example', link },
  ],
  weekly: [
    {
      ...{ ...weekly, link, end: { label: 'Ende', href: link } },
      unanswered: [{ question: 'Wo?', count: 3, link }],
      mend: { uncertain: 2, link, uncertainLink: link },
    },
  ],
  'weekly-question': [
    { template: 'weekly-question', language, person: 'Ada', about: 'Laden', days: 7, link },
    { template: 'weekly-question', language, person: 'Ada', about: 'Laden', days: 7, link: null },
  ],
}
test.each(Object.values(bodiesOf).flat())('a mail of the template $template is German throughout', async (body) => {
  const { html, text } = await renderBody(body)
  expect(html).toContain('lang="de"')
  expect(text).not.toMatch(/\b(?:the|you|your|and|this|is|open|with|more|of)\b/i)
})

test('every word that a mail has in English has another one in German', () => {
  const said = (texts: object): string[] =>
    Object.values(texts).flatMap((text) =>
      typeof text === 'string' ? [text] : typeof text === 'object' && text !== null ? said(text) : [],
    )
  const same = said(mailTexts('en')).filter((text) => said(mailTexts('de')).includes(text))
  expect(same).toEqual(['Bot', 'Leads'])
})

test('a number is written as the language does', async () => {
  const { text } = await renderBody({ ...credits, threshold: 50, plan: 'Growth', renewed: '2026-12-01', link })
  expect(text).toContain('1.234,5 von 8.000 Credits')
})
