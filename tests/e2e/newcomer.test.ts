import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { settled } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { pageHtml } from '../support/siteServer'
import { countGestures, countKeys, type Gestures, type Keys } from './gestureCount'
import { atRest, block, ready, settings, showAll } from './steps'

/** The three jobs that somebody who is new comes with, each built by mouse and keyboard alone, its gestures counted, and then tried. */
let server: TestServer
let outside: OutsideServer
let browser: TestBrowser
let page: Page
let ada: Registered
let home: string

const SITE: Record<string, string> = {
  '/': pageHtml(
    'Lamps',
    `<p>We repair harbour lamps of every make.</p>${['care', 'hours', 'prices', 'shipping', 'returns']
      .map((name) => `<a href="/${name}">${name}</a>`)
      .join(' ')}`,
  ),
  '/care': pageHtml('Care', '<p>The guarantee for a repaired lamp lasts five years from the day of the repair.</p>'),
  '/hours': pageHtml('Hours', '<p>The workshop opens from nine to five on weekdays and closes on Sundays.</p>'),
  '/prices': pageHtml('Prices', '<p>A repair costs forty euros, and a new lens costs ninety euros more.</p>'),
  '/shipping': pageHtml('Shipping', '<p>Parcels travel with the evening boat and arrive within three days.</p>'),
  '/returns': pageHtml('Returns', '<p>Lamps that do not please come back within thirty days, unused.</p>'),
}

beforeAll(async () => {
  ensureBuilt()
  outside = await startOutsideServer(({ path }, response) => {
    const order = /^\/orders\/(.+)$/.exec(path)?.[1]
    if (order === undefined) {
      const body = SITE[path]
      return response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(body ?? '')
    }
    response.writeHead(order === '17' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(order === '17' ? { order: 17, status: 'on its way' } : { error: 'no such order' }))
  })
  ;[server, browser] = await Promise.all([
    startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.0/8') } }),
    launchBrowser({ colorScheme: 'light' }),
  ])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  page = browser.page
  home = `${server.url}/projects/${ada.pgid}`
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  outside?.close()
})
afterEach(() => expect(browser.errors).toEqual([]))

/** An empty chatbot, open in the builder: from here on gestures count. */
async function begin(name: string): Promise<Gestures> {
  await openEmpty(name)
  return countGestures(page)
}

async function openEmpty(name: string): Promise<void> {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name } })
  await page.goto(`${home}/chatbots/${chatbot.gid}/builder`)
  await ready(page)
  await atRest(page)
}

const palette = (kind: string): Locator =>
  page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: kind, exact: true })
const onCard = (name: string): Locator => page.locator('[data-card-editor]').getByRole('textbox', { name })
const setting = (name: string): Locator => settings(page).getByRole('textbox', { name, exact: true })
const variable = (name: string): Locator => settings(page).getByRole('button', { name, exact: true })
const output = (port: string, kind: string): Locator =>
  page.getByRole('button', { name: `${port} of ${kind}: choose what comes next` })
const filter = (): Locator => page.getByRole('combobox', { name: 'Find a variable' })

/** A block after the one that is worked on, and its question; what it asks for is kept in the variable that the form proposes. */
async function ask(hands: Gestures, kind: string, question: string, proposed: string): Promise<void> {
  await hands.click(palette(kind))
  await hands.type(question, onCard(`${kind}: Question`))
  await hands.click(settings(page).getByRole('button', { name: `Create “${proposed}”` }))
}

/** Types a variable's name on the field that has the focus; one that is not there is made. */
async function chooseVariable(hands: Gestures, name: string): Promise<void> {
  await hands.type(name, variable('Variable'))
  await expect.poll(() => filter().inputValue()).toBe(name)
  await hands.press('Enter')
  await filter().waitFor({ state: 'detached' })
}

async function choose(hands: Gestures, field: string, option: string): Promise<void> {
  await hands.click(settings(page).getByRole('combobox', { name: field, exact: true }))
  await hands.click(page.getByRole('option', { name: option, exact: true }))
}

async function fill(hands: Gestures, field: string, text: string): Promise<void> {
  await hands.click(setting(field))
  await hands.type(text, setting(field))
}

const preview = () => page.getByRole('region', { name: 'Preview' })
const hears = (text: string | RegExp) =>
  preview().getByRole('log', { name: 'Conversation' }).getByText(text).first().waitFor()
async function writes(text: string): Promise<void> {
  await preview().getByRole('textbox').first().fill(text)
  await page.keyboard.press('Enter')
}
/** Begins anew; what was said before is gone then. */
async function restart(said: string): Promise<void> {
  await preview().getByRole('button', { name: 'Restart' }).click()
  await preview().getByText(said).waitFor({ state: 'detached' })
}
const openPreview = async () => {
  await ready(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
}

/** Pictures to look at, for who asks for them. */
async function shots(name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    await page.screenshot({ path: join(process.env.SHOTS, `${name}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** Two visitors: the answers of the first are worth a mail, both of them together; those of the second are not. */
async function triesLeads(): Promise<void> {
  const answer = async (name: string, team: string, budget: string) => {
    await hears('What is your name?')
    await writes(name)
    await hears(`And your email, ${name}?`)
    await writes(`${name.toLowerCase()}@example.org`)
    await hears('How many people are in your team?')
    await writes(team)
    await hears('What is your monthly budget?')
    await writes(budget)
  }
  await answer('Grace', '6', '20')
  await hears('Would send an email to ada@example.com')
  await hears('Thank you, Grace!')
  await shots('lead-6-preview')
  await restart('Thank you, Grace!')
  await answer('Bo', '2', '20')
  await hears('Thank you, Bo!')
  expect(
    await preview()
      .getByText(/Would send an email/)
      .count(),
  ).toBe(0)
}

it('captures a lead: asks, scores, and mails the owner those that are worth it', async () => {
  const hands = await begin('Leads')
  await ask(hands, 'Text input', 'What is your name?', 'Name')
  await shots('lead-1-question')
  await ask(hands, 'Email input', 'And your email, {Name}?', 'Email')

  await ask(hands, 'Number input', 'How many people are in your team?', 'Team')
  await ask(hands, 'Number input', 'What is your monthly budget?', 'Monthly budget')

  await hands.click(palette('Set variable'))
  await chooseVariable(hands, 'Score')
  await choose(hands, 'Operation', 'Calculate')
  await hands.type('{Team} * 5 + {Monthly budget}', setting('Expression'))
  await shots('lead-2-score')

  await hands.click(palette('Condition'))
  await chooseVariable(hands, 'Score')
  await choose(hands, 'Comparison', 'is at least')
  await hands.type('50', setting('Value'))
  await shots('lead-3-condition')

  await hands.click(palette('Send email'))
  await hands.type('ada@example.com', setting('Recipient'))
  await fill(hands, 'Subject', 'A lead: {Name}')
  await fill(hands, 'Message', '{Name} writes from {Email} and scores {Score}.')
  await shots('lead-4-email')

  await hands.click(palette('Text'))
  await hands.type('Thank you, {Name}!', onCard('Text: Message'))

  // who scores too low skips the mail
  await hands.drag({ on: output('Else', 'Condition') }, { on: block(page, 'Text input', 'Text') })
  const { count } = hands
  await showAll(page)
  await shots('lead-5-built')

  await openPreview()
  await triesLeads()
  expect(count).toBeLessThanOrEqual(36)
})

async function triesOrders(): Promise<void> {
  await hears('What is your order number?')
  await writes('17')
  await hears('Your order is on its way.')
  await restart('Your order is on its way.')
  await hears('What is your order number?')
  await writes('99')
  await hears('There is no order 99.')
}

it('tells where an order is, by the answer of a server, and says so when there is none', async () => {
  const hands = await begin('Orders')
  await ask(hands, 'Text input', 'What is your order number?', 'Order number')

  await hands.click(palette('HTTP request'))
  await hands.type(`${outside.url}/orders/{Order number}`, setting('URL'))
  const trial = settings(page).getByRole('region', { name: 'Test request' })
  await hands.click(trial.getByLabel('Order number'))
  await hands.type('17', trial.getByLabel('Order number'))
  await hands.click(trial.getByRole('button', { name: 'Send test request' }))
  await hands.click(trial.getByRole('button', { name: 'Save $.status: "on its way"', exact: true }))
  await expect.poll(() => filter().inputValue()).toBe('status')
  await shots('order-1-answer')
  await hands.press('Enter')
  await trial.getByText('$.status saved').waitFor()

  await hands.click(palette('Text'))
  await hands.type('Your order is {status}.', onCard('Text: Message'))
  const canvas = page.locator('[data-canvas]')
  await atRest(page)
  await hands.drag({ on: output('Failure', 'HTTP request') }, { on: canvas, x: -700, y: -200 })
  const picker = page.getByRole('dialog', { name: 'What comes next?' })
  await hands.click(picker.getByRole('button', { name: 'Text', exact: true }))
  await hands.type('There is no order {Order number}.', onCard('Text: Message'))
  const { count } = hands
  await showAll(page)
  await shots('order-2-built')

  await openPreview()
  await triesOrders()
  expect(count).toBeLessThanOrEqual(17)
})

it('answers from a website of six pages, and hands over what none of them says', async () => {
  await page.goto(home)
  const hands = countGestures(page)
  await hands.click(page.getByLabel('Website address'))
  await hands.type(`${outside.url}/`, page.getByLabel('Website address'))
  await hands.press('Enter')
  await page.waitForURL(/\/train\?crawl=/)
  const asked = page.getByRole('region', { name: 'Ask the chatbot' })
  await asked.waitFor({ timeout: 90_000 })
  await page.getByText('6 of 6 pages read').waitFor()
  const { count } = hands
  await shots('site-1-trained')

  await page.getByRole('link', { name: 'Open the builder' }).click()
  await openPreview()
  await hears('Hello!')
  await writes('How long does the guarantee for a repaired lamp last?')
  await hears(/five years from the day of the repair/)
  await hears('Is there anything else')
  await writes('Do you sell bicycles in Brazil?')
  await hears('I have no answer to that.')
  await preview().getByRole('button', { name: 'Talk to a person', exact: true }).last().click()
  await hears('Where can we answer you?')
  await writes('grace@example.org')
  await hears('Would email the conversation to 1 person')
  await hears('Our team gets this conversation and answers you.')
  await shots('site-2-handed')
  expect(count).toBe(3)
})

/** Where the keyboard is: on the block, with its text or its settings left. */
const onBlock = (kind: string): Locator => page.getByLabel(`${kind} block`, { exact: true })
const focused = (on: Locator) => on.and(page.locator(':focus')).waitFor()

/** A block after the one that the keyboard is on; its first field has the focus then. */
async function addByKeys(keys: Keys, kind: string, key = 'a'): Promise<void> {
  await keys.press(key)
  await keys.type(kind, page.getByRole('dialog').getByRole('searchbox'))
  await keys.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function leave(keys: Keys, kind: string): Promise<void> {
  await keys.press('Escape')
  await page.locator('[data-block-id]:focus').and(onBlock(kind)).waitFor()
}

async function askByKeys(keys: Keys, kind: string, question: string, proposed: string): Promise<void> {
  await addByKeys(keys, kind)
  await keys.type(question, onCard(`${kind}: Question`))
  await leave(keys, kind)
  await keys.press('Control+Enter')
  await focused(setting('Question'))
  await keys.walkTo(settings(page).getByRole('button', { name: `Create “${proposed}”` }))
  await keys.press('Enter')
  await variable(`Save the answer to`).and(page.locator(':focus')).waitFor()
  await leave(keys, kind)
}

async function chooseVariableByKeys(keys: Keys, name: string): Promise<void> {
  await keys.type(name, variable('Variable'))
  await expect.poll(() => filter().inputValue()).toBe(name)
  await keys.press('Enter')
  await filter().waitFor({ state: 'detached' })
  await focused(variable('Variable'))
}

/** Connects an output of the block that the keyboard is on to what a search finds. */
async function connectByKeys(keys: Keys, output: string, to: string): Promise<void> {
  await keys.press('c')
  await keys.type(output, page.getByRole('dialog', { name: 'Connect from which output?' }).getByRole('combobox'))
  await page.getByRole('option', { name: output, selected: true }).waitFor()
  await keys.press('Enter')
  const target = page.getByRole('dialog', { name: `Connect “${output}” to` })
  await keys.type(to, target.getByRole('combobox'))
  await target.getByRole('option', { name: to, selected: true }).waitFor()
  await keys.press('Enter')
  await target.waitFor({ state: 'detached' })
}

async function commandByKeys(keys: Keys, command: string): Promise<void> {
  await keys.press('Control+K')
  await keys.type(command, page.getByRole('combobox', { name: 'Find anything' }))
  await page.getByRole('option', { name: command, selected: true }).first().waitFor()
  await keys.press('Enter')
}

it('captures a lead by the keyboard alone, and publishes it', async () => {
  await openEmpty('Leads by keys')
  const keys = countKeys(page)
  await keys.press('Alt+Home')
  await page.locator('.react-flow__node:focus').waitFor()
  await askByKeys(keys, 'Text input', 'What is your name?', 'Name')
  await askByKeys(keys, 'Email input', 'And your email, {Name}?', 'Email')
  await askByKeys(keys, 'Number input', 'How many people are in your team?', 'Team')
  await askByKeys(keys, 'Number input', 'What is your monthly budget?', 'Monthly budget')

  await addByKeys(keys, 'Set variable')
  await chooseVariableByKeys(keys, 'Score')
  await keys.walkTo(settings(page).getByRole('combobox', { name: 'Operation' }))
  await keys.press('ArrowDown')
  await keys.press('ArrowDown')
  await page.getByRole('option', { name: 'Calculate' }).waitFor()
  await keys.press('Enter')
  await keys.type('{Team} * 5 + {Monthly budget}', setting('Expression'))
  await leave(keys, 'Set variable')

  await addByKeys(keys, 'Condition')
  await chooseVariableByKeys(keys, 'Score')
  await keys.walkTo(settings(page).getByRole('combobox', { name: 'Comparison' }))
  await keys.type('is at least', settings(page).getByRole('combobox', { name: 'Comparison' }))
  await keys.press('Enter')
  await keys.type('50', setting('Value'))
  await leave(keys, 'Condition')

  await addByKeys(keys, 'Send email')
  await keys.type('ada@example.com', setting('Recipient'))
  await keys.walkTo(setting('Subject'))
  await keys.type('A lead: {Name}', setting('Subject'))
  await keys.walkTo(setting('Message'))
  await keys.type('{Name} writes from {Email} and scores {Score}.', setting('Message'))
  await leave(keys, 'Send email')

  await addByKeys(keys, 'Text')
  await keys.type('Thank you, {Name}!', onCard('Text: Message'))
  await leave(keys, 'Text')
  await keys.walkTo(onBlock('Condition'), 'Alt+ArrowUp')
  await connectByKeys(keys, 'Else', 'Thank you')
  await ready(page)

  await commandByKeys(keys, 'Publish')
  await keys.walkTo(page.getByRole('button', { name: 'Publish now' }))
  await keys.press('Enter')
  await page.getByRole('textbox', { name: 'Public link' }).waitFor()
  await keys.press('Escape')
  const { count } = keys
  await openPreview()
  await triesLeads()
  expect(count).toBeLessThanOrEqual(130)
})

it('tells where an order is, built by the keyboard alone', async () => {
  await openEmpty('Orders by keys')
  const keys = countKeys(page)
  await keys.press('Alt+Home')
  await page.locator('.react-flow__node:focus').waitFor()
  await askByKeys(keys, 'Text input', 'What is your order number?', 'Order number')

  await addByKeys(keys, 'HTTP request')
  await keys.type(`${outside.url}/orders/{Order number}`, setting('URL'))
  const trial = settings(page).getByRole('region', { name: 'Test request' })
  await keys.walkTo(trial.getByLabel('Order number'))
  await keys.type('17', trial.getByLabel('Order number'))
  await keys.walkTo(trial.getByRole('button', { name: 'Send test request' }))
  await keys.press('Enter')
  const save = trial.getByRole('button', { name: 'Save $.status: "on its way"', exact: true })
  await save.waitFor()
  await keys.walkTo(save)
  await keys.press('Enter')
  await expect.poll(() => filter().inputValue()).toBe('status')
  await keys.press('Enter')
  await trial.getByText('$.status saved').waitFor()
  await leave(keys, 'HTTP request')

  await addByKeys(keys, 'Text')
  await keys.type('Your order is {status}.', onCard('Text: Message'))
  await leave(keys, 'Text')
  await keys.walkTo(output('Failure', 'HTTP request'), 'Shift+Tab')
  await addByKeys(keys, 'Text', 'Enter')
  await keys.type('There is no order {Order number}.', onCard('Text: Message'))
  await keys.press('Escape')
  const { count } = keys

  await openPreview()
  await triesOrders()
  expect(count).toBeLessThanOrEqual(52)
})

it('answers from a website, begun by the keyboard alone', async () => {
  await page.goto(home)
  await page.getByLabel('Website address').waitFor()
  const keys = countKeys(page)
  // past the navigation
  await keys.walkTo(page.getByRole('link', { name: 'Skip to content' }))
  await keys.press('Enter')
  await keys.walkTo(page.getByLabel('Website address'))
  await keys.type(`${outside.url}/`, page.getByLabel('Website address'))
  await keys.press('Enter')
  await page.waitForURL(/\/train\?crawl=/)
  await page.getByRole('region', { name: 'Ask the chatbot' }).waitFor({ timeout: 90_000 })
  const open = page.getByRole('link', { name: 'Open the builder' })
  await keys.walkTo(open)
  await keys.press('Enter')
  const { count } = keys
  await openPreview()
  await hears('Hello!')
  // 32 of them where it is the first chatbot: each of those that were made above is one press of Tab more
  expect(count).toBeLessThanOrEqual(37)
})
