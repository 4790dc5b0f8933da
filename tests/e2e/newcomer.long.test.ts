import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { countGestures, countKeys, type Gestures } from './gestureCount'
import { createDesk, type Desk } from './newcomerDesk'
import { atRest, block, ready, settings, showAll } from './steps'

/**
 * Two of the three jobs that somebody who is new comes with (the third: newcomerSupport.test.ts), each built by mouse and by keyboard alone,
 * its gestures counted, and then tried.
 */
let server: TestServer
let outside: OutsideServer
let browser: TestBrowser
let page: Page
let desk: Desk
let ada: Registered
let home: string

beforeAll(async () => {
  ensureBuilt()
  outside = await startOutsideServer(({ path }, response) => {
    const order = path.replace('/orders/', '')
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
  desk = createDesk(page)
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

/** Two visitors: the answers of the first are worth a mail, both of them together; those of the second are not. */
async function triesLeads(): Promise<void> {
  const answer = async (name: string, team: string, budget: string) => {
    await desk.hears('What is your name?')
    await desk.writes(name)
    await desk.hears(`And your email, ${name}?`)
    await desk.writes(`${name.toLowerCase()}@example.org`)
    await desk.hears('How many people are in your team?')
    await desk.writes(team)
    await desk.hears('What is your monthly budget?')
    await desk.writes(budget)
  }
  await answer('Grace', '6', '20')
  await desk.hears('Would send an email to ada@example.com')
  await desk.hears('Thank you, Grace!')
  await desk.shots('lead-6-preview')
  await desk.restart('Thank you, Grace!')
  await answer('Bo', '2', '20')
  await desk.hears('Thank you, Bo!')
  expect(
    await desk
      .preview()
      .getByText(/Would send an email/)
      .count(),
  ).toBe(0)
}

it('captures a lead: asks, scores, and mails the owner those that are worth it', async () => {
  const hands = await begin('Leads')
  await desk.ask(hands, 'Text input', 'What is your name?', 'Name')
  await desk.shots('lead-1-question')
  await desk.ask(hands, 'Email input', 'And your email, {Name}?', 'Email')

  await desk.ask(hands, 'Number input', 'How many people are in your team?', 'Team')
  await desk.ask(hands, 'Number input', 'What is your monthly budget?', 'Monthly budget')

  await hands.click(desk.palette('Set variable'))
  await desk.chooseVariable(hands, 'Score')
  await desk.choose(hands, 'Operation', 'Calculate')
  await hands.type('{Team} * 5 + {Monthly budget}', desk.setting('Expression'))
  await desk.shots('lead-2-score')

  await hands.click(desk.palette('Condition'))
  await desk.chooseVariable(hands, 'Score')
  await desk.choose(hands, 'Comparison', 'is at least')
  await hands.type('50', desk.setting('Value'))
  await desk.shots('lead-3-condition')

  await hands.click(desk.palette('Send email'))
  await hands.type('ada@example.com', desk.setting('Recipient'))
  await desk.fill(hands, 'Subject', 'A lead: {Name}')
  await desk.fill(hands, 'Message', '{Name} writes from {Email} and scores {Score}.')
  await desk.shots('lead-4-email')

  await hands.click(desk.palette('Text'))
  await hands.type('Thank you, {Name}!', desk.onCard('Text: Message'))

  // who scores too low skips the mail
  await hands.drag({ on: desk.output('Else', 'Condition') }, { on: block(page, 'Text input', 'Text') })
  const { count } = hands
  await showAll(page)
  await desk.shots('lead-5-built')

  await desk.openPreview()
  await triesLeads()
  expect(count).toBeLessThanOrEqual(36)
})

async function triesOrders(): Promise<void> {
  await desk.hears('What is your order number?')
  await desk.writes('17')
  await desk.hears('Your order is on its way.')
  await desk.restart('Your order is on its way.')
  await desk.hears('What is your order number?')
  await desk.writes('99')
  await desk.hears('There is no order 99.')
}

it('tells where an order is, by the answer of a server, and says so when there is none', async () => {
  const hands = await begin('Orders')
  await desk.ask(hands, 'Text input', 'What is your order number?', 'Order number')

  await hands.click(desk.palette('HTTP request'))
  await hands.type(`${outside.url}/orders/{Order number}`, desk.setting('URL'))
  const trial = settings(page).getByRole('region', { name: 'Test request' })
  await hands.click(trial.getByLabel('Order number'))
  await hands.type('17', trial.getByLabel('Order number'))
  await hands.click(trial.getByRole('button', { name: 'Send test request' }))
  await hands.click(trial.getByRole('button', { name: 'Save $.status: "on its way"', exact: true }))
  await expect.poll(() => desk.filter().inputValue()).toBe('status')
  await desk.shots('order-1-answer')
  await hands.press('Enter')
  await trial.getByText('$.status saved').waitFor()

  await hands.click(desk.palette('Text'))
  await hands.type('Your order is {status}.', desk.onCard('Text: Message'))
  const canvas = page.locator('[data-canvas]')
  await atRest(page)
  await hands.drag({ on: desk.output('Failure', 'HTTP request') }, { on: canvas, x: -700, y: -200 })
  const picker = page.getByRole('dialog', { name: 'What comes next?' })
  await hands.click(picker.getByRole('button', { name: 'Text', exact: true }))
  await hands.type('There is no order {Order number}.', desk.onCard('Text: Message'))
  const { count } = hands
  await showAll(page)
  await desk.shots('order-2-built')

  await desk.openPreview()
  await triesOrders()
  expect(count).toBeLessThanOrEqual(17)
})

it('captures a lead by the keyboard alone, and publishes it', async () => {
  await openEmpty('Leads by keys')
  const keys = countKeys(page)
  await keys.press('Alt+Home')
  await page.locator('.react-flow__node:focus').waitFor()
  await desk.askByKeys(keys, 'Text input', 'What is your name?', 'Name')
  await desk.askByKeys(keys, 'Email input', 'And your email, {Name}?', 'Email')
  await desk.askByKeys(keys, 'Number input', 'How many people are in your team?', 'Team')
  await desk.askByKeys(keys, 'Number input', 'What is your monthly budget?', 'Monthly budget')

  await desk.addByKeys(keys, 'Set variable')
  await desk.chooseVariableByKeys(keys, 'Score')
  await keys.walkTo(settings(page).getByRole('combobox', { name: 'Operation' }))
  await keys.press('ArrowDown')
  await keys.press('ArrowDown')
  await page.getByRole('option', { name: 'Calculate' }).waitFor()
  await keys.press('Enter')
  await keys.type('{Team} * 5 + {Monthly budget}', desk.setting('Expression'))
  await desk.leave(keys, 'Set variable')

  await desk.addByKeys(keys, 'Condition')
  await desk.chooseVariableByKeys(keys, 'Score')
  await keys.walkTo(settings(page).getByRole('combobox', { name: 'Comparison' }))
  await keys.type('is at least', settings(page).getByRole('combobox', { name: 'Comparison' }))
  await keys.press('Enter')
  await keys.type('50', desk.setting('Value'))
  await desk.leave(keys, 'Condition')

  await desk.addByKeys(keys, 'Send email')
  await keys.type('ada@example.com', desk.setting('Recipient'))
  await keys.walkTo(desk.setting('Subject'))
  await keys.type('A lead: {Name}', desk.setting('Subject'))
  await keys.walkTo(desk.setting('Message'))
  await keys.type('{Name} writes from {Email} and scores {Score}.', desk.setting('Message'))
  await desk.leave(keys, 'Send email')

  await desk.addByKeys(keys, 'Text')
  await keys.type('Thank you, {Name}!', desk.onCard('Text: Message'))
  await desk.leave(keys, 'Text')
  await keys.walkTo(desk.onBlock('Condition'), 'Alt+ArrowUp')
  await desk.connectByKeys(keys, 'Else', 'Thank you')
  await ready(page)

  await desk.commandByKeys(keys, 'Publish')
  // a person waits as well until what was edited is saved
  const publishing = page.getByRole('dialog', { name: 'Publish' })
  await publishing.getByRole('button', { name: 'Publish now', disabled: false }).waitFor()
  await publishing.locator(':focus').waitFor()
  await keys.walkTo(publishing.getByRole('button', { name: 'Publish now' }))
  await keys.press('Enter')
  await page.getByRole('textbox', { name: 'Public link' }).waitFor()
  await keys.press('Escape')
  const { count } = keys
  await desk.openPreview()
  await triesLeads()
  expect(count).toBeLessThanOrEqual(130)
})

it('tells where an order is, built by the keyboard alone', async () => {
  await openEmpty('Orders by keys')
  const keys = countKeys(page)
  await keys.press('Alt+Home')
  await page.locator('.react-flow__node:focus').waitFor()
  await desk.askByKeys(keys, 'Text input', 'What is your order number?', 'Order number')

  await desk.addByKeys(keys, 'HTTP request')
  await keys.type(`${outside.url}/orders/{Order number}`, desk.setting('URL'))
  const trial = settings(page).getByRole('region', { name: 'Test request' })
  await keys.walkTo(trial.getByLabel('Order number'))
  await keys.type('17', trial.getByLabel('Order number'))
  await keys.walkTo(trial.getByRole('button', { name: 'Send test request' }))
  await keys.press('Enter')
  const save = trial.getByRole('button', { name: 'Save $.status: "on its way"', exact: true })
  await save.waitFor()
  await keys.walkTo(save)
  await keys.press('Enter')
  await expect.poll(() => desk.filter().inputValue()).toBe('status')
  await keys.press('Enter')
  await trial.getByText('$.status saved').waitFor()
  await desk.leave(keys, 'HTTP request')

  await desk.addByKeys(keys, 'Text')
  await keys.type('Your order is {status}.', desk.onCard('Text: Message'))
  await desk.leave(keys, 'Text')
  await keys.walkTo(desk.output('Failure', 'HTTP request'), 'Shift+Tab')
  await desk.addByKeys(keys, 'Text', 'Enter')
  await keys.type('There is no order {Order number}.', desk.onCard('Text: Message'))
  await keys.press('Escape')
  const { count } = keys

  await desk.openPreview()
  await triesOrders()
  expect(count).toBeLessThanOrEqual(52)
})
