import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Flow } from '../../engine/flow/schema'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, exportFlow, openBuilder, ready, registerOwner, typebotFile } from './steps'

/** Groups are arranged in the worker: after an import that piled them up, and when somebody asks for it. */
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  ;[app, ada, folder] = await Promise.all([
    startBuiltApp(),
    launchBrowser({ acceptDownloads: true }),
    mkdtemp(join(tmpdir(), 'parley-layout-')),
  ])
})
afterAll(() => Promise.all([ada.close(), app.stop(), rm(folder, { recursive: true })]))

type Positions = Record<string, { x: number; y: number }>
async function positions(page: Page): Promise<Positions> {
  await ready(page)
  const flow: Flow = JSON.parse((await exportFlow(page)).text)
  return Object.fromEntries(flow.groups.map(({ title, position }) => [title, position]))
}

/** Groups are 264 wide; the lowest has a title and a block. */
const apart = (places: Positions): boolean => {
  const all = Object.values(places)
  return all.every((a, i) => all.slice(i + 1).every((b) => Math.abs(a.x - b.x) >= 264 || Math.abs(a.y - b.y) >= 90))
}

it('arranges the groups of a file that lie on top of each other, and undo puts them back', async () => {
  const { page } = ada
  const typebot = JSON.parse(await readFile(typebotFile('lead-generation'), 'utf8'))
  for (const piled of typebot.groups) piled.graphCoordinates = { x: 10, y: 10 }
  for (const event of typebot.events ?? []) event.graphCoordinates = { x: 10, y: 10 }
  const file = join(folder, 'piled.json')
  await writeFile(file, JSON.stringify(typebot))
  await registerOwner(page, app)
  await createFromFile(page, file, 'Piled up')
  // it goes by itself after a while
  const told = page.getByText('Imported groups overlapped, so they were arranged.').waitFor()
  await Promise.all([openBuilder(page), told])
  await expect.poll(async () => apart(await positions(page))).toBe(true)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => apart(await positions(page))).toBe(false)
})

it('arranges the whole flow from left to right as one step, with the start where it was', async () => {
  const { page } = ada
  const before = await positions(page)
  await page.keyboard.press('Shift+Alt+l')
  await expect.poll(async () => apart(await positions(page))).toBe(true)
  const after = await positions(page)
  // on the grid, which the file's start is not
  expect(Math.abs((after.Start?.x ?? Number.NaN) - (before.Start?.x ?? 0))).toBeLessThanOrEqual(4)
  expect(Math.abs((after.Start?.y ?? Number.NaN) - (before.Start?.y ?? 0))).toBeLessThanOrEqual(4)
  const columns = ['Welcome', 'Name', 'Email', 'Services'].map((title) => after[title]?.x ?? Number.NaN)
  expect(columns).toEqual([...columns].sort((a, b) => a - b))
  expect(new Set(columns).size).toBe(4)
})

it('says so when everything that is selected stands where it belongs', async () => {
  const { page } = ada
  const before = await positions(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Alt+l')
  await page.getByText('Everything is already arranged.').waitFor()
  expect(await positions(page)).toEqual(before)
})
