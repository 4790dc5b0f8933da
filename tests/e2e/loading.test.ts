import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, editText, openBuilder, ready, registerOwner, typebotFile } from './steps'

/** What the builder takes over a slow line: how much, in how many pieces, and how soon each is asked for. The bench `loading` has the time. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

it('brings the builder in few pieces, all of which its page names, until a text can be edited', async () => {
  const { page, context } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-scoring'), 'Lead scoring')
  await openBuilder(page)
  await page.goto('about:blank')
  const asked: Request[] = []
  context.on('request', (request) => asked.push(request))
  await page.goBack()
  await ready(page)
  const card = page.getByLabel('Text block', { exact: true }).first()
  await editText(page, card)
  const own = asked.filter((request) => request.url().startsWith(app.url))
  expect(own.length).toBeLessThanOrEqual(45)
  const sizes = await Promise.all(own.map((request) => request.sizes()))
  const bytes = sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  )
  expect(bytes).toBeLessThanOrEqual(800 * 1024)
  const html = await (await context.request.get(page.url())).text()
  const unnamed = own
    .filter((request) => ['script', 'stylesheet'].includes(request.resourceType()))
    .map((request) => new URL(request.url()).pathname)
    .filter((path) => !html.includes(path))
  expect(unnamed).toEqual([])
})
