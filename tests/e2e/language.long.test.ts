import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { updateSettings } from '../../server/contracts/account'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** The screens in the language that somebody chooses. */
let server: TestServer
let ada: TestBrowser
let owner: Registered
let project: string
let cgid: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada] = await Promise.all([startTestServer({}), launchBrowser()])
  owner = await server.register()
  ;({ cgid } = await makeChatbot(owner))
  project = `${server.url}/projects/${owner.pgid}`
  await ada.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([ada?.close(), server?.close()]))

it('is chosen on the account page, at once and for good', async () => {
  const { page } = ada
  await page.goto(`${project}/settings/account`)
  await page.getByRole('combobox', { name: 'Language of the screens' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Konto', exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await expectAccessible(page, 'account in German')
  await page.reload()
  await page.getByRole('heading', { name: 'Konto', exact: true }).waitFor()
  expect(ada.errors).toEqual([])
})

it('goes with the account to a browser in which nobody chose', async () => {
  const other = await launchBrowser()
  try {
    await other.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
    await other.page.goto(`${project}/settings/account`)
    await other.page.getByRole('heading', { name: 'Konto', exact: true }).waitFor()
    expect((await owner.call(updateSettings, { body: {} })).language).toBe('de')
    expect(other.errors).toEqual([])
  } finally {
    await other.close()
  }
})

it('has the builder in it, and what the server refuses', async () => {
  const { page } = ada
  await page.goto(`${project}/chatbots/${cgid}/builder`)
  await page.getByRole('button', { name: 'Veröffentlichen' }).waitFor()
  const palette = page.getByRole('button', { name: 'Textabfrage' }).first()
  await palette.waitFor()
  await page.goto(`${project}/settings/account`)
  await page.getByLabel('Aktuelles Passwort').last().fill('not this one')
  await page.getByLabel('Neues Passwort').fill('a longer and unusual one')
  await page.getByRole('button', { name: 'Passwort ändern' }).click()
  await page.getByText('Das ist nicht Ihr Passwort').waitFor()
})

it('gives a person all that is kept of their account', async () => {
  const { page } = ada
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Herunterladen' }).click()
  const file = await (await coming).path()
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ account: { email: owner.user.email } })
})
