import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { createFromFile, openBuilder, publish, registerOwner, typebotFile } from './steps'

/** The message API, from turning it on to an answer in the inbox that the program is sent. */
let program: OutsideServer
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  program = await startOutsideServer((_, response) => response.writeHead(204).end())
  ;[app, ada] = await Promise.all([startBuiltApp({ OUTBOUND_ALLOW: '127.0.0.1/32' }), launchBrowser()])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  program?.close()
})

test('an owner turns it on; the example of the screen brings a message, whose answers the program is sent', async () => {
  const { page } = ada
  await registerOwner(page, app)
  const project = page.url()
  await createFromFile(page, typebotFile('lead-generation'), 'Shop')
  await openBuilder(page)
  await publish(page)
  const [, chatbot = ''] = /^(.*\/chatbots\/[a-z0-9]+)/.exec(page.url()) ?? []
  await page.goto(`${chatbot}/settings/message-api`)
  await page.getByLabel('Address of your program').fill('nowhere')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Enter the address of your program').waitFor()
  await page.getByLabel('Address of your program').fill(`${program.url}/messages`)
  await page.getByRole('button', { name: 'Turn on' }).click()
  const secret = page.getByRole('textbox', { name: 'Secret' })
  await secret.waitFor()
  expect(await secret.inputValue()).toMatch(/^whsec_/)
  await expectAccessible(page, 'the message API', 'main')
  if (process.env.SHOTS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(process.env.SHOTS, `message-api-${colorScheme}.png`), fullPage: true })
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: join(process.env.SHOTS, 'message-api-phone.png'), fullPage: true })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  const address = await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue()

  await page.goto(`${project}/settings/project/api-keys`)
  const key = await makeKey()
  const sent = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'grace', id: 'message-1', text: 'Hello', name: 'Grace' }),
  })
  expect(sent.status).toBe(200)
  await expect.poll(() => program.received.length).toBeGreaterThan(0)

  await page.goto(`${chatbot}/conversations`)
  await page.getByText('Grace').first().click()
  await page.getByText('Message API').first().waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'message-api-inbox.png') })

  async function makeKey(): Promise<string> {
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What is it for?').fill('Program')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    return page.getByRole('textbox', { name: 'API key' }).inputValue()
  }
})
