import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startInstallation } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  block,
  chat,
  closeSettings,
  createFromFile,
  drag,
  editText,
  exportFlow,
  group,
  openBuilder,
  publish,
  ready,
  registerOwner,
  showAll,
  typebotFile,
  typeVariable,
} from './steps'

/** From the owner's link to a visitor's last message; each test goes on where the one before it ended. */
let app: BuiltApp
let editor: TestBrowser
let visitor: TestBrowser
let link: string

beforeAll(async () => {
  ;[app, editor, visitor] = await Promise.all([
    startInstallation(),
    launchBrowser({ viewport: { width: 1700, height: 900 } }),
    launchBrowser(),
  ])
})
afterAll(() => Promise.all([editor.close(), visitor.close(), app.stop()]))

it('imports a flow that somebody else made, and says what came of it', async () => {
  const { page } = editor
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-generation'), 'Lead generation')
  const report = page.getByRole('dialog', { name: 'Import report' })
  await report.getByText(/^Imported 7 groups and \d+ blocks from Typebot 6\.$/).waitFor()
  await report.getByText('Imported', { exact: true }).waitFor()
  await openBuilder(page)
  for (const title of ['Welcome', 'Name', 'Email', 'Services', 'Additional information', 'Bye'])
    await group(page, title).waitFor()
})

it('edits a text, with variables that the brace offers or makes', async () => {
  const { page } = editor
  const card = block(page, 'Email', 'Text').first()
  await editText(page, card)
  await page.keyboard.type(', hello from ')
  await typeVariable(page, 'Agency')
  await page.keyboard.type(' to ')
  await typeVariable(page, 'Name')
  await page.keyboard.type('!')
  await card.filter({ hasText: 'Good to meet you, Name, hello from Agency to Name!' }).waitFor()
})

it('builds on the canvas: blocks from the palette, an edge from a port, a group moved', async () => {
  const { page } = editor
  await closeSettings(page)
  const palette = page.getByRole('complementary', { name: 'Blocks' })
  const kind = palette.getByRole('button', { name: 'Text', exact: true })

  await drag(page, { on: kind }, { on: block(page, 'Name', 'Text input'), y: 4 })
  await editText(page, block(page, 'Name', 'Text').nth(1))
  await page.keyboard.type('Take your time.')
  await block(page, 'Name', 'Text').nth(1).filter({ hasText: 'Take your time.' }).waitFor()

  await closeSettings(page)
  await drag(page, { on: kind }, { on: page.getByLabel('Flow', { exact: true }), x: 640, y: 80 })
  await editText(page, block(page, 'Text', 'Text'))
  await page.keyboard.type('See you soon.')
  await closeSettings(page)

  await showAll(page)
  const port = block(page, 'Bye', 'Text')
    .last()
    .getByRole('button', { name: /^Next of Text/ })
  await drag(page, { on: port }, { on: group(page, 'Text') })
  await block(page, 'Bye', 'Text')
    .last()
    .getByRole('button', { name: /^Next of Text, connected/ })
    .waitFor()

  const before = await group(page, 'Text').boundingBox()
  await drag(page, { on: group(page, 'Text'), y: 10 }, { on: group(page, 'Text'), x: 80, y: 100 })
  const after = await group(page, 'Text').boundingBox()
  expect(after?.y).toBeGreaterThan((before?.y ?? 0) + 20)
  await ready(page)
})

it('deletes, undoes and redoes', async () => {
  const { page } = editor
  const cards = block(page, 'Services', 'Text')
  await cards.click()
  await page.keyboard.press('Delete')
  await cards.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await cards.waitFor()
  await page.keyboard.press('Control+Shift+z')
  await cards.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await cards.filter({ hasText: 'What services shall we plan?' }).waitFor()
})

it('shows the same flow after a reload', async () => {
  const { page } = editor
  await ready(page)
  const before = await exportFlow(page)
  await page.reload()
  await ready(page)
  await showAll(page)
  await block(page, 'Text', 'Text').filter({ hasText: 'See you soon.' }).waitFor()
  expect((await exportFlow(page)).text).toBe(before.text)
})

it('talks to the draft, and shows variables, path and the block it waits at', async () => {
  const { page } = editor
  const { hears, chooses, writes, log } = chat(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await hears('Welcome to Lantern (a small studio)')
  await chooses('Hello!')
  await hears('Take your time.')
  const active = page.locator('[data-block-id][data-active]')
  await block(page, 'Name', 'Text input').and(active).waitFor()
  await writes('Grace')
  await hears('Good to meet you, Grace, hello from  to Grace!')
  await block(page, 'Email', 'Email input').and(active).waitFor()

  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByRole('term').filter({ hasText: 'Name' }).waitFor()
  await preview.getByRole('definition').filter({ hasText: 'Grace' }).waitFor()
  await preview.getByRole('tab', { name: 'Path' }).click()
  await preview.getByRole('button', { name: 'Go to Text input in Name' }).filter({ hasText: 'set Name' }).waitFor()

  await preview.getByRole('button', { name: 'Restart' }).click()
  await log.getByText('Grace').first().waitFor({ state: 'detached' })
  await hears('Welcome to Lantern (a small studio)')
  await preview.getByRole('button', { name: 'Close preview' }).click()
})

it('publishes for a visitor, who comes back in the middle and goes on to the end', async () => {
  link = await publish(editor.page)
  const { page } = visitor
  const { hears, chooses, writes, log } = chat(page)
  await page.goto(link)
  await hears('Welcome to Lantern (a small studio)')
  await chooses('Hello!')
  await writes('Grace')
  await hears('Good to meet you, Grace, hello from  to Grace!')
  await page.reload()
  await hears('Good to meet you, Grace, hello from  to Grace!')
  await writes('not an address', 'Your email address')
  await hears('Enter a valid email address')
  await writes('grace@example.com', 'Your email address')
  await chooses('A newsletter')
  await writes('A compiler.')
  await hears('A person writes to grace@example.com within a day')
  await hears('See you soon.')
  await hears('The conversation has ended')
  await expect.poll(() => log.getByText('A compiler.').count()).toBe(1)
  await log.getByRole('button', { name: 'Start again' }).click()
  await log.getByText('A compiler.').waitFor({ state: 'detached' })
  await hears('Welcome to Lantern (a small studio)')
})

it('exports a file that comes back as the same bytes', async () => {
  const { page } = editor
  const exported = await exportFlow(page)
  const file = `${exported.path}.json`
  await rename(exported.path, file)
  await page.getByRole('link', { name: 'Back to chatbots' }).click()
  await createFromFile(page, file, 'The copy')
  await openBuilder(page)
  expect((await exportFlow(page)).text).toBe(exported.text)
})

it('leaves no error in a console', () => {
  expect([...editor.errors, ...visitor.errors]).toEqual([])
})
