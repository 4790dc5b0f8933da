import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type FileServer, modelOf, serveFiles } from '../support/localModel'
import { type ModelServer, startModelServer } from '../support/modelServer'
import { onnxFiles } from '../support/onnxModel'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { openGroup } from './steps'

/** An editor connects a server of models, gives the chatbot one of them, and takes it away again. */
const KEY = 'sk-right-and-long-4321'
let server: TestServer
let models: ModelServer
let browser: TestBrowser
let ada: Registered
let url: string
beforeAll(async () => {
  ensureBuilt()
  ;[models, server, browser] = await Promise.all([
    startModelServer(),
    startTestServer({ config: { localModels: true, outboundAllow: parseNetworks('127.0.0.0/8') } }),
    launchBrowser(),
  ])
  models.wants(KEY)
  ada = await server.register()
  const { pgid, cgid } = await makeChatbot(ada)
  url = `${server.url}/projects/${pgid}/chatbots/${cgid}`
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([browser?.close(), server?.close(), models?.close()]))

it('a server is connected once its key is right, and its model answers from then on', async () => {
  const { page } = browser
  await page.goto(`${url}/settings/ai`)
  await page.getByRole('heading', { name: 'AI settings', exact: true }).waitFor()
  await page.getByText('No providers yet.').waitFor()
  await page.getByRole('button', { name: 'Connect a provider', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a provider', exact: true })
  await dialog.getByRole('combobox', { name: 'Provider', exact: true }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Base URL', exact: true }).fill(models.settings.baseUrl)
  const key = dialog.getByRole('textbox', { name: 'API key', exact: true })
  await key.fill('sk-wrong')
  await dialog.getByRole('textbox', { name: 'Name of model 1', exact: true }).fill('llama3.3')
  await dialog.getByRole('switch', { name: 'Model 1 can use actions', exact: true }).uncheck({ force: true })
  await dialog.getByRole('button', { name: 'Test and save', exact: true }).click()
  await dialog.getByText('refused the key: check that it is whole and still valid there.').waitFor()
  await expectAccessible(page, 'connection', '[role=dialog]')
  await key.fill(KEY)
  await dialog.getByRole('button', { name: 'Test and save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Key ending in 4321').waitFor()

  const model = page.getByRole('combobox', { name: 'Model', exact: true })
  await model.click()
  await page.getByRole('option', { name: /^llama3\.3/ }).click()
  await page.getByText('This model can’t use actions. It only answers questions.').waitFor()
  const slider = page.getByRole('slider', { name: 'Temperature', exact: true })
  await slider.focus()
  for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight')
  const budget = page.getByRole('textbox', { name: 'Monthly budget of this chatbot', exact: true })
  await budget.fill('many')
  await page.getByText('“many” is not a number. Enter one such as 12.5, or leave it empty').waitFor()
  await budget.fill('12,5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('0 of 12.5', { exact: true }).waitFor()
  await page.reload()
  await slider.waitFor()
  expect([await model.inputValue(), await slider.getAttribute('aria-valuetext'), await budget.inputValue()]).toEqual([
    'llama3.3',
    '0.3',
    '12.5',
  ])
  await expectAccessible(page, 'AI settings')
})

it('leaving with changes asks, and a provider is removed after a question', async () => {
  const { page } = browser
  await page.getByRole('combobox', { name: 'Language', exact: true }).click()
  await page.keyboard.type('germ')
  await page.getByRole('option', { name: 'German', exact: true }).click()
  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?', exact: true })
  await leaving.getByRole('button', { name: 'Cancel', exact: true }).click()
  await leaving.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Language', exact: true }).inputValue()).toBe('Auto')

  const { host } = new URL(models.settings.baseUrl)
  await page.getByRole('button', { name: `Actions for ${host}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  await page
    .getByRole('dialog', { name: `Remove ${host}?`, exact: true })
    .getByRole('button', { name: 'Remove', exact: true })
    .click()
  await page.getByText('The chosen model is no longer available. Choose another one.').waitFor()
  await page.getByText('No providers yet.').waitFor()
})

it('who is told of used credits is set in the project, and stays', async () => {
  const { page } = browser
  await openGroup(page, 'Project')
  await page.getByRole('link', { name: 'Notifications', exact: true }).click()
  await page.getByText(ada.user.email, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add an address', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an address', exact: true })
  const email = dialog.getByRole('textbox', { name: 'Email address', exact: true })
  await email.fill('team')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('Enter a valid email address', { exact: true }).waitFor()
  await email.fill('team@example.org')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove team@example.org', exact: true }).waitFor()
  // until it is gone, it lies over the switches
  await dialog.waitFor({ state: 'detached' })
  const half = page.getByRole('switch', { name: '50 %', exact: true })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await half.click({ force: true })
  await saved
  await page.reload()
  await page.getByText('team@example.org', { exact: true }).waitFor()
  expect([await half.isChecked(), await page.getByText(ada.user.email, { exact: true }).count()]).toEqual([false, 0])
  await expectAccessible(page, 'notifications')
  // a wrong key is answered with 422
  expect(browser.errors.filter((error) => !error.includes('status of 422'))).toEqual([])
})

it('a model in files is downloaded, used and removed', async () => {
  const { page } = browser
  const files: FileServer = await serveFiles(
    modelOf([
      ['car', 'vehicle'],
      ['bread', 'loaf'],
    ]),
  )
  const jobs = server.context.jobs
  try {
    await page.goto(`${url}/settings/ai`)
    await page.getByText('The built-in word vectors weigh').waitFor()
    await page.getByRole('button', { name: 'Add a model', exact: true }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Add a model in files', exact: true })
    const address = dialog.getByRole('textbox', { name: 'Address of the model', exact: true })
    await address.fill('potion')
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    await dialog.getByText('"potion" is no address of a model').waitFor()
    await expectAccessible(page, 'model in files', '[role=dialog]')
    await address.fill(files.url)
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await jobs.runDue()
    await page.getByText('License: mit').waitFor()
    await page.getByRole('button', { name: 'Use small', exact: true }).click()
    await page.getByText('small compares questions and passages').waitFor()
    await expectAccessible(page, 'search by meaning')
    await page.getByRole('button', { name: 'Remove small', exact: true }).click()
    const confirm = page.getByRole('dialog', { name: 'Remove small?', exact: true })
    await confirm.getByText('It is in use').waitFor()
    await confirm.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('The built-in word vectors weigh').waitFor()
    await jobs.runDue()
  } finally {
    await files.close()
  }
})

it('a transformer is uploaded in files of any name, and asked as its page says', async () => {
  const { page } = browser
  const { 'onnx/model.onnx': model, 'tokenizer.json': tokenizer } = onnxFiles([
    ['car', 'vehicle'],
    ['bread', 'loaf'],
  ])
  await page.goto(`${url}/settings/ai`)
  await page.getByText('The built-in word vectors weigh').waitFor()
  await page.getByRole('button', { name: 'Add a model', exact: true }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Add a model in files', exact: true })
  await dialog.getByRole('button', { name: 'Files', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Our transformer')
  const choose = (name: string, buffer: Buffer) =>
    dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await choose('model_quantized.onnx', model)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Still missing: tokenizer.json').waitFor()
  await choose('tokenizer.json', tokenizer)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await server.context.jobs.runDue()
  await page.getByRole('button', { name: 'Settings of Our transformer', exact: true }).click()
  const settings = page.getByRole('dialog', { name: 'Settings of Our transformer', exact: true })
  await settings.getByRole('textbox', { name: 'Before questions', exact: true }).fill('query: ')
  await settings.getByRole('button', { name: 'that of the first token', exact: true }).click()
  await expectAccessible(page, 'settings of a transformer', '[role=dialog]')
  await settings.getByRole('button', { name: 'Save', exact: true }).click()
  await settings.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Settings of Our transformer', exact: true }).click()
  expect(await settings.getByRole('textbox', { name: 'Before questions', exact: true }).inputValue()).toBe('query: ')
})
