import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
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
const files: [name: string, kinds: string[], placeholders: string[]][] = [
  ['boat-insurance', ['Carousel', 'Set variable'], []],
  ['digital-product', ['Video', 'Send email'], ['payment input 1', 'Used in Payment.']],
  ['every-kind', ['File upload', 'A/B split'], ['Google Sheets 1']],
]

it.each(files)(
  '%s: the report names its blocks, and the builder opens it without an error',
  async (name, kinds, placeholders) => {
    const { page } = ada
    await page.goto(project)
    await createFromFile(page, typebotFile(name), name)
    const report = page.getByRole('dialog', { name: 'Import report' })
    const text = ((await report.textContent()) ?? '').replaceAll(/\s+/g, ' ')
    for (const each of [...kinds, ...placeholders]) expect(text).toContain(each)
    expect(text.includes('Kept as placeholders')).toBe(placeholders.length > 0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-report.png` })
    await openBuilder(page)
    // what was brought in is there again after loading
    await page.reload()
    await ready(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
    expect(ada.errors).toEqual([])
  },
)
