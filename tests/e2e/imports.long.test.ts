import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { sharedDrawnFiles } from '../support/drawnFlows'
import { sharedPath } from '../support/shared'
import { createFromFile, openBuilder, ready, registerOwner, typebotFile } from './steps'

/** Files of another product, brought in through the screens: the report says what became of them, and the builder opens them. */
let app: BuiltApp
let ada: TestBrowser
let project: string

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
  await registerOwner(ada.page, app)
  project = ada.page.url()
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

/** One with cards, one with a placeholder, one with what remains; how each file is read has tests without a browser. */
const files: [path: string, kinds: string[], placeholders: string[]][] = [
  [typebotFile('boat-insurance'), ['Carousel', 'Set variable'], []],
  [typebotFile('digital-product'), ['Video', 'Send email'], ['payment input 1', 'Used in Payment.']],
  [typebotFile('every-kind'), ['File upload', 'A/B split', 'Google Sheets'], ['openai 1']],
  ['tests/support/dify/every-node.yml', ['from Dify', 'AI extract', 'Form'], ['template-transform 1']],
  ['tests/support/flowise/every-node.json', ['from Flowise', 'AI answer', 'Buttons'], ['toolAgentflow 1']],
  // those of other people, where they lie beside the repository and somebody wants to look at them
  ...(process.env.SHOTS ? sharedDrawn() : []),
]

function sharedDrawn(): typeof files {
  return (['dify', 'flowise'] as const).flatMap((product) =>
    sharedDrawnFiles(product).map((name): (typeof files)[number] => [sharedPath(`flows/${product}/${name}`), [], []]),
  )
}

it.each(files)(
  '%s: the report names its blocks, and the builder opens it without an error',
  async (path, kinds, placeholders) => {
    const { page } = ada
    const name = basename(path).replace(/\.\w+$/, '')
    await page.goto(project)
    await createFromFile(page, path, name)
    const report = page.getByRole('dialog', { name: 'Import report' })
    const text = ((await report.textContent()) ?? '').replaceAll(/\s+/g, ' ')
    for (const each of [...kinds, ...placeholders]) expect(text).toContain(each)
    if (kinds.length > 0) expect(text.includes('Kept as placeholders')).toBe(placeholders.length > 0)
    // what holds in several places is said once
    const said = await report
      .locator('li[data-level] > span')
      .evaluateAll((notes) => notes.map(({ firstChild }) => firstChild?.textContent?.trim()))
    expect(said).toEqual([...new Set(said)])
    const levels = await report
      .locator('li[data-level]')
      .evaluateAll((notes) => notes.map((note) => note.dataset.level))
    expect(levels).toEqual([...levels].sort().reverse())
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-report.png` })
    await openBuilder(page)
    // what was brought in is there again after loading
    await page.reload()
    await ready(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
    expect(ada.errors).toEqual([])
  },
)

it('a file that is none, one of another product, and one that is too large are refused in words, the last before it is read', async () => {
  const { page } = ada
  await page.goto(project)
  await page.getByRole('button', { name: 'New chatbot' }).click()
  await page.getByLabel('Chatbot name').fill('Refused')
  await page.getByText('From a file').click()
  // from the disk, as a person does: so much would take a slow machine long to pass to the browser
  const folder = await mkdtemp(join(tmpdir(), 'parley-imports-'))
  const choose = async (name: string, text: string | Buffer) => {
    await writeFile(join(folder, name), text)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /^Drop a flow file here|Choose a different file/ }).click(),
    ])
    await chooser.setFiles(join(folder, name))
  }
  const alert = page.getByRole('alert')
  await choose('picture.yml', '<html>')
  await alert.filter({ hasText: 'neither JSON nor YAML' }).waitFor()
  await choose('large.yaml', Buffer.alloc(20_000_001, 'a'))
  await alert.filter({ hasText: 'This file is larger than 20 MB.' }).waitFor()
  await choose('bot.yml', 'version: "3.1"\nstories:\n- story: hello\n')
  await page.getByRole('button', { name: 'Create and import' }).click()
  await alert.filter({ hasText: "It is a file of Rasa, which can't be imported." }).waitFor()
  expect(page.url()).toContain('new')
  await rm(folder, { recursive: true, force: true })
})
