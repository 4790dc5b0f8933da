import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, openBuilder, registerOwner, typebotFile } from './steps'

/** What stands around the canvas: it says what it is, and stays where it is. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const PANELS = ['Problems', 'Find', 'Variables', 'Comments', 'Tests', 'Versions', 'History', 'Statistics']
const rail = () => ada.page.getByRole('navigation', { name: 'Panels' })
const tools = async () => (await ada.page.getByRole('toolbar', { name: 'Canvas tools' }).boundingBox())?.x

it('each panel has its name below its icon', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-generation'), 'Lead generation')
  await openBuilder(page)
  await rail().waitFor()
  await expect.poll(() => rail().getByRole('button').allTextContents()).toEqual([...PANELS, 'Languages'])
  await expectAccessible(page, 'the rail of panels', 'nav[aria-label="Panels"]')
})

it('an icon says its name when the pointer is on it', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Zoom in' }).hover()
  await page.getByRole('tooltip').filter({ hasText: 'Zoom in' }).waitFor()
})

it('the tools stand still when panels open, take turns and close, which have one width', async () => {
  const { page } = ada
  const before = await tools()
  expect(before).toBeGreaterThan(0)
  const widths = new Set<number | undefined>()
  for (const name of PANELS) {
    await rail().getByText(name, { exact: true }).click()
    const panel = page.getByRole('complementary', { name: name === 'Find' ? 'Find and replace' : name })
    await panel.waitFor()
    widths.add((await panel.boundingBox())?.width)
    expect([name, await tools()]).toEqual([name, before])
  }
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.waitFor()
  widths.add((await preview.boundingBox())?.width)
  expect([await tools(), widths.size]).toEqual([before, 1])
  await page.getByRole('button', { name: 'Close preview' }).click()
  await rail().getByText('Statistics', { exact: true }).click()
  await page.getByRole('complementary', { name: 'Statistics' }).waitFor({ state: 'detached' })
  expect(await tools()).toBe(before)
})
