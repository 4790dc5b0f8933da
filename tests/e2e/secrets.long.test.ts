import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRequestDefaults } from '../../blocks/http-request/schema'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { secretIdOf } from '../../engine/values/secrets'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { block, createFromFile, exportFlow, ready, registerOwner, settings } from './steps'

/** Secrets, as an editor meets them: in a request, in the picker, among the problems, in the project's settings. Each test goes on. */
let app: BuiltApp
let ada: TestBrowser
let outside: OutsideServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'))
  outside = await startOutsideServer(({ headers }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ authorization: headers.authorization ?? null }))
  })
  ;[app, ada] = await Promise.all([startBuiltApp({ OUTBOUND_ALLOW: '127.0.0.1' }), launchBrowser()])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  outside?.close()
  await rm(folder, { recursive: true, force: true })
})

const TOKEN = 'sk-live-4711-do-not-show'

/** A picture of what is there, in both looks and sizes, for who asks for one. */
const shot = async (name: string) => {
  if (!process.env.SHOTS) return
  const { page } = ada
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise(requestAnimationFrame))
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) })
    }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** A request with a token that is still to be typed, and a header that names a secret which the project lacks. */
function flowOf(url: string): Flow {
  const data = httpRequestDefaults()
  const request = {
    ...data,
    url: { type: 'static' as const, value: url },
    headers: [
      {
        id: 'h1',
        name: { type: 'static' as const, value: 'X-Trace' },
        value: {
          type: 'dynamic' as const,
          parts: [{ type: 'variable' as const, variable_id: secretIdOf('TRACE_KEY') }],
        },
      },
    ],
    auth: { ...data.auth, type: 'bearer' as const },
  }
  return {
    ...emptyFlow(),
    groups: [
      {
        id: 'g1',
        title: 'Order',
        position: { x: 0, y: 0 },
        blocks: [
          { id: 'b1', kind: 'start', version: 0, data: {} },
          { id: 'b2', kind: 'http-request', version: 0, data: JSON.parse(JSON.stringify(request)) },
        ],
      },
    ],
  }
}

test('a token that is typed becomes a secret: the block holds a chip, and the request sends the value', async () => {
  const { page } = ada
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(flowOf(outside.url)))
  await registerOwner(page, app)
  await createFromFile(page, file, 'Orders')
  await page.getByText('Create the secret TRACE_KEY in this project').waitFor()
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Order', 'HTTP request')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const typing = panel.getByLabel('Token: enter a new value', { exact: true })
  await typing.fill(TOKEN)
  await typing.scrollIntoViewIfNeeded()
  await shot('1-typing')
  await panel.getByRole('button', { name: 'Save as secret' }).click()
  await panel.getByText('Saved as secret API_TOKEN').waitFor()
  await panel.getByText('secret.API_TOKEN').first().waitFor()
  await shot('2-chip')
  await expectAccessible(page, 'a secret in a request', 'aside[aria-label="Settings"]')
  await ready(page)
  expect(await page.content()).not.toContain(TOKEN)
})

test('what the checker misses is made in its place, by its name', async () => {
  const { page } = ada
  await page.getByRole('button', { name: /^\d+ problems?$/ }).click()
  const problems = page.getByRole('complementary', { name: 'Problems' })
  const missing = problems.getByRole('listitem').filter({ hasText: 'uses the secret TRACE_KEY' })
  await missing.waitFor()
  await shot('3-problem')
  await missing.getByRole('button', { name: 'Create secret TRACE_KEY' }).click()
  const dialog = page.getByRole('dialog', { name: 'New secret' })
  await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('TRACE_KEY')
  await shot('4-remedy')
  await expectAccessible(page, 'a missing secret', '[role="dialog"]')
  await dialog.getByLabel('Value', { exact: true }).fill('trace-1234567')
  await dialog.getByRole('button', { name: 'Save secret' }).click()
  await dialog.waitFor({ state: 'detached' })
  await missing.waitFor({ state: 'detached' })
})

test('the picker offers the secrets, and makes another', async () => {
  const { page } = ada
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Order', 'HTTP request')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const url = panel.getByRole('textbox', { name: 'URL' })
  await url.click()
  await url.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.insertText('/')
  await page.keyboard.type('{')
  const list = page.getByRole('listbox', { name: 'Variables' })
  await list.getByRole('option', { name: 'secret.API_TOKEN' }).waitFor()
  await shot('5-picker')
  await expectAccessible(page, 'secrets in the picker', '[role="listbox"]')
  await page.getByRole('combobox', { name: 'Find a variable' }).fill('ACCOUNT')
  await page.getByRole('option', { name: 'New secret …' }).click()
  const form = page.getByRole('form', { name: 'New secret' })
  await expect.poll(() => form.getByLabel('Name', { exact: true }).inputValue()).toBe('ACCOUNT')
  await shot('6-new')
  await form.getByLabel('Value', { exact: true }).fill('account-7654321')
  await form.getByRole('button', { name: 'Save secret' }).click()
  await url.getByText('secret.ACCOUNT').waitFor()
  await ready(page)
})

test('a test request sends the values, and shows none of what comes back', async () => {
  const { page } = ada
  const trial = settings(page).getByRole('region', { name: 'Test request' })
  await trial.getByRole('button', { name: 'Send test request' }).click()
  await trial.getByText('200', { exact: true }).waitFor()
  expect(outside.received.at(-1)).toMatchObject({
    path: '/account-7654321',
    headers: { authorization: `Bearer ${TOKEN}`, 'x-trace': 'trace-1234567' },
  })
  await trial.getByText('••••').first().waitFor()
  await shot('7-answer')
  expect(await page.content()).not.toContain(TOKEN)
  const { text } = await exportFlow(page)
  expect(text).toContain(secretIdOf('API_TOKEN'))
  expect(text).not.toContain(TOKEN)
})

test('the project’s settings list them; one is added, replaced, and deleted once the flows were named', async () => {
  const { page } = ada
  const pgid = /\/projects\/(\w+)/.exec(page.url())?.[1]
  await page.goto(`${app.url}/projects/${pgid}/settings/project/secrets`)
  const list = page.getByRole('list', { name: 'Secrets' })
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await row('API_TOKEN').getByText('Orders (Main flow)').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
  await shot('8-settings')
  await expectAccessible(page, 'secrets of a project')

  await page.getByRole('button', { name: 'New secret' }).click()
  const creating = page.getByRole('dialog', { name: 'New secret' })
  await creating.getByLabel('Name', { exact: true }).fill('SPARE')
  await creating.getByLabel('Value', { exact: true }).fill('spare-1')
  await shot('9-create')
  await creating.getByRole('button', { name: 'Save secret' }).click()
  await row('SPARE').getByText('Not used').waitFor()

  await page.getByRole('button', { name: 'Replace API_TOKEN' }).click()
  const replacing = page.getByRole('dialog', { name: 'Replace API_TOKEN' })
  await replacing.getByLabel('Value', { exact: true }).fill('another-token')
  await shot('10-replace')
  await replacing.getByRole('button', { name: 'Save' }).click()
  await replacing.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Delete API_TOKEN' }).click()
  const deleting = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: /Delete/ }))
    .first()
  await deleting.getByText('Orders (Main flow)').waitFor()
  await shot('11-delete')
  await deleting.getByRole('button', { name: 'Delete secret' }).click()
  await row('API_TOKEN').waitFor({ state: 'detached' })
  for (const name of ['ACCOUNT', 'SPARE', 'TRACE_KEY']) {
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('button', { name: 'Delete secret' }).click()
    await row(name).waitFor({ state: 'detached' })
  }
  await page.getByText('No secrets yet').waitFor()
  await shot('12-empty')
  expect(ada.errors).toEqual([])
})
