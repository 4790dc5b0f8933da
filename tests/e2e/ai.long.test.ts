import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aiAnswerDefaults } from '../../blocks/ai-answer/schema'
import { aiExtractDefaults, newExtractedField } from '../../blocks/ai-extract/schema'
import { textInput } from '../../blocks/text-input/block'
import { createCountingIds } from '../../engine/flow/ids'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ModelServer, startModelServer } from '../support/modelServer'
import { block, chat, createFromFile, ready, registerOwner, settings } from './steps'

let app: BuiltApp
let browser: TestBrowser
let models: ModelServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-ai-'))
  models = await startModelServer()
  app = await startBuiltApp({ AI_BASE_URL: models.settings.baseUrl, AI_MODEL: 'small' })
  browser = await launchBrowser({ colorScheme: 'light' })
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  await models?.close()
  await rm(folder, { recursive: true, force: true })
})
const shot = async (name: string) => {
  if (process.env.SHOTS) await browser.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

/** Asks, finds an email and a plan in what is written, answers it from knowledge, which there is none of. */
function flowOf(): Flow {
  const made = (id: string, kind: string, data: unknown) => ({
    id,
    kind,
    version: 0,
    data: JSON.parse(JSON.stringify(data)),
  })
  const field = (id: string, more: object) => ({ ...newExtractedField(() => id), ...more })
  const choices = ['Free', 'Pro'].map((label) => ({ id: label, label }))
  const fields = [
    field('f1', { name: 'Email address', type: 'email', saveTo: 'email' }),
    field('f2', { name: 'Plan', type: 'choice', choices }),
    field('f3', { name: 'What they want it for', type: 'text' }),
  ]
  return {
    ...emptyFlow(),
    variables: [{ id: 'email', name: 'Email', value: null }],
    groups: [
      {
        id: 'g1',
        title: 'Ask',
        position: { x: 0, y: 0 },
        blocks: [
          made('b1', 'start', {}),
          made('b2', 'text-input', textInput.defaults(createCountingIds('i'))),
          made('b3', 'ai-extract', { ...aiExtractDefaults(createCountingIds('x')), fields }),
          made('b4', 'ai-answer', aiAnswerDefaults()),
        ],
      },
    ],
  }
}

test('a block is set to answer with the model of the installation, and does', async () => {
  const { page } = browser
  const file = join(folder, 'ai.json')
  await writeFile(file, JSON.stringify(flowOf()))
  await registerOwner(page, app)
  await createFromFile(page, file, 'AI')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  // the canvas comes to rest on the flow first
  const openBlock = (kind: string) =>
    expect
      .poll(() =>
        block(page, 'Ask', kind)
          .click()
          .then(() => settings(page).isVisible()),
      )
      .toBe(true)
  await openBlock('AI extract')
  await settings(page).getByText('Extracted by small').waitFor()
  await shot('extract')
  await openBlock('AI answer')
  const form = settings(page)
  await form.getByText('The chatbot has no data sources yet, so questions continue at “Not found”.').waitFor()
  await shot('answer-knowledge')
  await form.getByRole('combobox', { name: 'Answer from' }).click()
  await page.getByRole('option', { name: 'Model' }).click()
  await form.getByText('Answered by small').waitFor()
  await form.getByLabel('Instructions').click()
  await page.keyboard.type('You help the customers of a lamp shop.')
  await form.getByRole('button', { name: 'Advanced' }).click()
  await form.getByLabel('Temperature').fill('0.25')
  // what is wrong is said once the field is left
  await form.getByLabel('Temperature').blur()
  await form.getByText('Use at most one decimal', { exact: true }).waitFor()
  await form.getByLabel('Temperature').fill('0.2')
  await shot('answer-model')
  await ready(page)

  models.answers('{"field_1": "ada@example.com", "field_2": "Pro", "field_3": null}', 'We have lamps.')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await chat(page).writes('What do you sell? ada@example.com')
  await chat(page).hears('We have lamps.')
  await shot('chat')
  expect(models.calls[1]?.body).toMatchObject({ model: 'small', temperature: 0.2 })
  expect(models.calls[1]?.body.messages[0]?.content).toMatch(/^You help the customers of a lamp shop\./)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('dark')
  expect(browser.errors).toEqual([])
})
