import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { serialiseFlow } from '../../engine/flow/canonical'
import { type Block, emptyFlow } from '../../engine/flow/schema'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible, showIn } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ModelServer, refuse, startModelServer } from '../support/modelServer'
import { block, createFromFile, openBuilder, publish, ready, registerOwner, settings } from './steps'

/** The texts of a flow in two more languages: written, taken out, sent back, published, and said to visitors who speak them. */
let app: BuiltApp
let models: ModelServer
let ada: TestBrowser
let folder: string
let link: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-translations-'))
  models = await startModelServer()
  const { baseUrl, model, apiKey } = models.settings
  ;[app, ada] = await Promise.all([
    startBuiltApp({ AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey ?? '' }),
    launchBrowser({ acceptDownloads: true }),
  ])
})
afterAll(() => Promise.all([ada.close(), app.stop(), models.close(), rm(folder, { recursive: true, force: true })]))

const made = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: JSON.parse(JSON.stringify({ ...(registry.get(kind).defaults(() => `${id}o`) as object), ...data })),
})

const flow = {
  ...emptyFlow(),
  variables: [{ id: 'drink', name: 'Drink', value: null }],
  groups: [
    {
      id: 'g',
      title: 'Welcome',
      position: { x: 0, y: 0 },
      blocks: [
        made('start', 'start', {}),
        made('hello', 'text', {
          content: [{ type: 'paragraph', children: [{ text: 'Welcome to ' }, { text: 'our bar', bold: true }] }],
        }),
        made('ask', 'buttons', {
          prompt: plainRichText('What would you like?'),
          options: [
            { id: 'tea', label: staticValue('Tea') },
            { id: 'coffee', label: staticValue('Coffee') },
          ],
          saveTo: 'drink',
        }),
        made('thanks', 'text', {
          content: [
            { type: 'paragraph', children: [{ text: 'Coming: ' }, { text: '', variable: true, variable_id: 'drink' }] },
          ],
        }),
      ],
    },
  ],
}

const table = (page: Page) => page.getByRole('table', { name: 'Translations' })
const cell = (page: Page, language: string, text: string) =>
  table(page).getByRole('button', { name: `${language} for “${text}”`, exact: true })
const field = (page: Page, language: string, text: string) =>
  table(page).getByRole('textbox', { name: `${language} for “${text}”`, exact: true })

async function addLanguage(page: Page, search: string): Promise<void> {
  await page.getByRole('button', { name: 'Add language' }).click()
  const found = page.getByRole('textbox', { name: 'Find a language' })
  await found.fill(search)
  await found.press('Enter')
  await found.waitFor({ state: 'detached' })
}

async function downloaded(page: Page, entry: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download') as Promise<Download>,
    page.getByRole('menuitem', { name: entry }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

async function importFile(page: Page, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, text)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import' }).click(),
  ])
  await chooser.setFiles(path)
}

it('a language is added, and its texts are written one after another by keyboard alone', async () => {
  const { page } = ada
  const path = join(folder, 'bar.parley.json')
  await writeFile(path, serialiseFlow(flow))
  await registerOwner(page, app)
  await createFromFile(page, path, 'Bar')
  await openBuilder(page)
  await page.getByRole('button', { name: 'Translations' }).click()
  await page.getByText('Speak your visitors’ language').waitFor()
  await expectAccessible(page, 'translations without a language')
  await addLanguage(page, 'brazil')
  await cell(page, 'Portuguese (Brazil)', 'Welcome to <b>our bar</b>').click()
  const first = field(page, 'Portuguese (Brazil)', 'Welcome to <b>our bar</b>')
  await first.fill('Bem-vindo ao <b>nosso bar</b>')
  await first.press('Enter')
  for (const [text, said] of [
    ['What would you like?', 'O que deseja?'],
    ['Tea', 'Chá'],
    ['Coffee', 'Café'],
    ['Coming: {{Drink}}', 'Já vem'],
  ] as const) {
    const next = field(page, 'Portuguese (Brazil)', text)
    await next.and(page.locator(':focus')).waitFor()
    await next.fill(said)
    await next.press('Enter')
  }
  await table(page).getByText('Leaves out {{Drink}}').waitFor()
  await table(page)
    .locator('strong, b')
    .filter({ hasText: 'nosso bar' })
    .or(table(page).getByText('nosso bar'))
    .first()
    .waitFor()
  await page.getByRole('button', { name: /Portuguese \(Brazil\): 5 of 5/ }).waitFor()
  await page.getByRole('status').getByText('Saved').waitFor()
})

it('undo takes back what was written last, redo brings it again', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /Portuguese \(Brazil\): 4 of 5/ }).waitFor()
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.getByRole('button', { name: /Portuguese \(Brazil\): 5 of 5/ }).waitFor()
  await cell(page, 'Portuguese (Brazil)', 'Coming: {{Drink}}').click()
  const last = field(page, 'Portuguese (Brazil)', 'Coming: {{Drink}}')
  await last.fill('Já vem: {{Drink}}')
  await last.press('Enter')
  await table(page).getByText('Leaves out {{Drink}}').waitFor({ state: 'detached' })
})

it('a second language comes from a file that somebody else has filled in, and says what it would change', async () => {
  const { page } = ada
  await addLanguage(page, 'العربية')
  const xliff = await downloaded(page, 'XLIFF 2.0, Arabic')
  expect(xliff).toContain('trgLang="ar"')
  const filled = xliff
    .replaceAll('state="initial"', 'state="final"')
    .replace('<source xml:space="preserve">Tea</source>', (found) => `${found}<target>شاي</target>`)
    .replace('<source xml:space="preserve">Coffee</source>', (found) => `${found}<target>قهوة</target>`)
    .replace(/(<source xml:space="preserve">)(Coming: <ph [^>]*>)(<\/source>)/, (all, _open, words) =>
      all.concat(`<target xml:space="preserve">${words.replace('Coming', 'قادم')}</target>`),
    )
  await importFile(page, 'bar.ar.xlf', filled)
  const report = page.getByRole('dialog', { name: 'Import translations' })
  await report.getByText('3 translations are new or different').waitFor()
  await expectAccessible(page, 'report of an import')
  await report.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: /Arabic: 3 of 5/ }).waitFor()
  const csv = await downloaded(page, 'CSV, all languages')
  expect(csv).toContain('Coming: {{Drink}},قادم: {{Drink}},Já vem: {{Drink}}')
  await importFile(page, 'broken.csv', 'nothing')
  await page.getByText('The first line must name').waitFor()
})

it('a text that changes in the builder has its translations marked as outdated, and problems tell of them', async () => {
  const { page } = ada
  await table(page).getByRole('row').filter({ hasText: 'What would you like?' }).getByRole('link').click()
  await ready(page)
  await settings(page).waitFor()
  await block(page, 'Welcome', 'Buttons').and(page.locator('[data-selected]')).waitFor()
  const question = settings(page).getByRole('textbox').first()
  await question.click()
  await question.pressSequentially('Hi! ')
  await block(page, 'Welcome', 'Buttons').filter({ hasText: 'Hi!' }).waitFor()
  await page
    .getByRole('button', { name: /problem/ })
    .first()
    .click()
  await page.getByText('Outdated translations into Portuguese (Brazil): 1.').waitFor()
  await page.getByText('Texts without a translation into Arabic: 2.').waitFor()
  const problem = page
    .getByRole('listitem')
    .filter({ hasText: 'Outdated translations into Portuguese (Brazil): 1.' })
    .last()
  await problem.getByRole('button', { name: 'Open translations' }).click()
  await table(page).waitFor()
  await cell(page, 'Arabic', 'Tea').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Mark as correct' }).first().waitFor()
  await page.getByRole('link', { name: 'Back to the builder' }).click()
  await ready(page)
  link = await publish(page)
})

it.each([
  ['pt-BR', 'Bem-vindo ao nosso bar', 'Chá', 'Já vem: Chá'],
  ['ar-EG', 'Welcome to our bar', 'شاي', 'قادم: شاي'],
  ['de-DE', 'Welcome to our bar', 'Tea', 'Coming: Tea'],
])(
  'a visitor whose browser speaks %s is spoken to in it, as far as there are texts',
  async (locale, hello, choice, end) => {
    const visitor = await launchBrowser({ locale })
    try {
      await visitor.page.goto(link)
      // the chat's own words are in that language, too: its log goes by another name
      const log = visitor.page.getByRole('log')
      await log.getByText(hello).waitFor()
      await visitor.page.getByRole('button', { name: choice, exact: true }).click()
      await log.getByText(end).waitFor()
      expect(visitor.errors).toEqual([])
    } finally {
      await visitor.close()
    }
  },
)

it.each([
  [1440, 900, 'light'],
  [390, 844, 'dark'],
] as const)('at %d x %d, %s, the texts can be read and nothing is inaccessible', async (width, height, colorScheme) => {
  const { page } = ada
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  await page.goto(page.url().replace(/\/builder.*$/, '/builder/translations'))
  await table(page).waitFor()
  await cell(page, 'Arabic', 'Tea').waitFor()
  await expectAccessible(page, `translations ${width} ${colorScheme}`)
  const overflows = () =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(await overflows()).toBe(false)
  await showIn(page, colorScheme)
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/translations-${width}-${colorScheme}.png` })
})

it('a model translates what is missing once it is told to: stopped, failing, and then marked for review', async () => {
  const { page } = ada
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const dialog = page.getByRole('dialog', { name: 'Translate with AI', exact: true })
  const begin = async () => {
    await page.getByRole('button', { name: 'Translate with AI', exact: true }).click()
    await dialog.getByText(/translates \d+ texts that are missing or outdated\. Credits: up to \d+/).waitFor()
    await dialog.getByRole('button', { name: 'Translate', exact: true }).click()
  }
  const end = async (said: RegExp) => {
    await dialog.getByRole('status').getByText(said).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await dialog.waitFor({ state: 'detached' })
  }
  // a model that does not answer is waited for until that is stopped
  models.answers(() => undefined)
  await begin()
  await dialog.getByRole('progressbar').waitFor()
  await expect.poll(() => models.calls.length).toBe(1)
  await expectAccessible(page, 'a model at work')
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
  await end(/^0 texts translated$/)

  models.answers(refuse(401, 'no'))
  await begin()
  await dialog.getByRole('alert').waitFor()
  await end(/^0 texts translated$/)
  // what the refused call printed
  ada.errors.splice(0)

  models.answers(JSON.stringify({ text_1: 'eins', text_2: 'zwei', text_3: 'drei' }))
  await begin()
  await end(/^\d+ texts? translated$/)
  await page.getByRole('button', { name: 'To review', exact: true }).click()
  await table(page).getByText('eins', { exact: true }).first().waitFor()
  await page.getByRole('status').getByText('Saved').waitFor()
})
