import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { embedSchema, visibilitySchema } from '../../server/contracts/web/settings'
import { web } from '../../server/modules/web/module'
import type {} from '../../src/widget/embed/api'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { createTestClock } from '../support/clock'
import { openShadows, startSite } from '../support/embeddedBots'
import { insertNextVersion, insertPublishedFlow } from '../support/publishedFlow'
import { startTestServer, type TestServer } from '../support/server'

/** What happens to a chat on pages of another site in the hands of a visitor: real kinds of blocks, and a clock that is set. */
const DAY = 24 * 60 * 60
const clock = createTestClock()
let chatPage: ChatPage
let server: TestServer
let site: Awaited<ReturnType<typeof startSite>>
let browser: TestBrowser
let page: Page
/** what the pages said in the console, to whoever made them */
const said: string[] = []

beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[server, site, browser] = await Promise.all([
    startTestServer({ clientDir: chatPage.folder, clock }),
    startSite(),
    // tests of browsers switch off what lets pages come back as they were
    launchBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  ])
  server.context.config.publicUrl = server.url
  page = browser.page
  await openShadows(browser.context)
  // what is spread over a minute comes at once
  await browser.context.addInitScript(() => {
    Math.random = () => 0
  })
  browser.context.on('console', (message) => message.type() === 'warning' && said.push(message.text()))
})
afterAll(() => Promise.all([browser?.close(), server?.close(), chatPage?.remove(), site?.close()]))
afterEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('about:blank')
  said.splice(0)
  expect(browser.errors.splice(0)).toEqual([])
})

type Kind = readonly [kind: string, data?: Record<string, unknown>]
/** A flow of groups, each of blocks that follow one another. */
const flowOf = (...groups: readonly Kind[][]): Flow =>
  ({
    ...emptyFlow(),
    groups: groups.map((blocks, g) => ({
      id: `g${g}`,
      title: '',
      position: { x: g * 400, y: 0 },
      blocks: blocks.map(([kind, data], b): Block => {
        const { migrations, defaults } = registry.get(kind)
        const all = { ...(defaults(() => `i${g}${b}`) as object), ...data }
        return { id: `b${g}-${b}`, kind, version: migrations.length, data: all as Block['data'] }
      }),
    })),
  }) as Flow
const says = (text: string): Kind => ['text', { content: plainRichText(text) }]
const asks = (text: string): Kind => ['text-input', { prompt: plainRichText(text) }]
const begins = (url: string, shows: 'open' | 'teaser'): Kind => [
  'page-opened',
  { pages: [{ id: 'p', rule: 'contains', url }], onceAVisit: false, shows },
]
const talk = [[['start'], asks('Who are you?'), asks('What do you need?'), says('Thank you')]] as const

/** A published chatbot, and a page of the site with its line. */
async function embed(flow: Flow, settings: Partial<Record<'embed' | 'visibility', object>> = {}) {
  const { db } = server.context
  const bot = await insertPublishedFlow(db, flow)
  const { egid } = await db
    .selectFrom('chatbots')
    .select('egid')
    .where('id', '=', bot.chatbotId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('web_chats')
    .values({
      chatbot_id: bot.chatbotId,
      project_id: bot.projectId,
      embed: JSON.stringify(embedSchema.parse(settings.embed ?? {})),
      visibility: JSON.stringify(visibilitySchema.parse(settings.visibility ?? {})),
      updated_at: clock(),
    })
    .execute()
  const head = `<script async src="${server.url}/embed.js?chatbot=${egid}"></script>`
  for (const path of ['/', '/two', '/pricing']) site.pages[path] = { head }
  return { ...bot, egid }
}

const launcher = () => page.locator('button.launcher')
const teaser = (text: string) => page.locator('button.said', { hasText: text })
const chat = (on = page) => on.frameLocator('iframe')
const field = () => chat().getByRole('textbox', { name: 'Your message' })
const hears = (text: string, on = page) => chat(on).getByRole('log').getByText(text, { exact: true }).last().waitFor()
const dialog = () => page.locator('dialog')
const close = async () => {
  await chat().getByRole('button', { name: 'Close' }).click()
  await dialog().waitFor({ state: 'hidden' })
}
async function writes(text: string): Promise<void> {
  await field().fill(text)
  await chat().getByRole('button', { name: 'Send' }).click()
}
/** The page's own calls are there. */
const taken = () =>
  expect.poll(() => page.evaluate(() => window.Parley !== undefined && !Array.isArray(window.Parley))).toBe(true)
async function open(): Promise<void> {
  await page.goto(site.url)
  await launcher().click()
}
/** What visitors have said to a chatbot, in order. */
async function heardOf({ chatbotId }: { chatbotId: string }): Promise<string[]> {
  const rows = await server.context.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select('messages.content')
    .where('conversations.chatbot_id', '=', chatbotId)
    .where('messages.author', '=', 2)
    .orderBy('messages.conversation_id')
    .orderBy('messages.seq')
    .execute()
  return rows.map(({ content }) => JSON.stringify(content).match(/"text":"([^"]+)"/)?.[1] ?? '')
}

it('begins what a page has, however its address comes to be that, beside the closed chat or in it', async () => {
  const group = (url: string, shows: 'open' | 'teaser', text: string) => [begins(url, shows), says(text), asks('And?')]
  const { chatbotId } = await embed(
    flowOf(
      [['start'], says('Welcome'), asks('Yes?')],
      group('/pricing', 'teaser', 'About prices'),
      group('/help', 'open', 'Help is near'),
      group('/docs', 'teaser', 'About the docs'),
    ),
  )
  await page.goto(site.url)
  await taken()
  expect(page.frames().filter((frame) => frame.url().includes('/embed/'))).toEqual([])
  await page.evaluate(() => history.pushState(null, '', '/pricing'))
  await teaser('About prices').click()
  await hears('About prices')
  await close()
  await page.evaluate(() => history.pushState(null, '', '/help'))
  await hears('Help is near')
  expect(await dialog().isVisible()).toBe(true)
  await close()
  // another place of the same page
  await page.evaluate(() => {
    location.hash = 'top'
  })
  await page.evaluate(() => history.replaceState(null, '', '/docs/lamps'))
  await teaser('About the docs').waitFor()
  const begun = await server.context.db
    .selectFrom('conversations')
    .select('id')
    .where('chatbot_id', '=', chatbotId)
    .execute()
  expect(begun).toHaveLength(3)
  await page.evaluate(() => history.go(-2))
  await teaser('About prices').waitFor()
  // and on a page that is loaded
  await page.goto(`${site.url}/pricing`)
  await teaser('About prices').waitFor()
})

it('begins what a page has whose address came while the chat was still opening', async () => {
  const group = (url: string, shows: 'open' | 'teaser', text: string) => [begins(url, shows), says(text), asks('And?')]
  await embed(
    flowOf(
      [['start'], says('Welcome'), asks('Yes?')],
      group('/pricing', 'teaser', 'About prices'),
      group('/help', 'open', 'Help is near'),
    ),
  )
  const begin = /\/conversations$/
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  const pages: unknown[] = []
  await page.route(begin, (route) => {
    pages.push(route.request().postDataJSON().url)
    return held.then(() => route.continue())
  })
  const asked = page.waitForRequest(begin)
  await page.goto(`${site.url}/pricing`)
  const frame = (await asked).frame()
  await page.evaluate(() => history.pushState(null, '', '/help'))
  // the frame has heard of it; what it would ask at once has reached the network
  await frame.evaluate(() => fetch('/healthz').then(() => fetch('/healthz')))
  expect(pages).toEqual([`${site.url}/pricing`])
  release()
  await hears('Help is near')
  await page.unrouteAll()
  await dialog().waitFor()
})

it('says what was published since to who has said nothing, and goes on as it was with who has', async () => {
  const bot = await embed(flowOf([['start'], says('The old greeting'), asks('Who are you?'), says('The old thanks')]))
  // the first message is in the page: it shows before the chat listens
  const stream = page.waitForResponse((response) => response.url().includes('/events?'))
  await open()
  await hears('The old greeting')
  await stream
  const publish = async (greeting: string) => {
    await insertNextVersion(
      server.context.db,
      bot,
      flowOf([['start'], says(greeting), asks('Who?'), says('New thanks')]),
    )
    server.app.modules.provided(web).publications.publish(bot.chatbotId, 'flow')
  }
  await publish('The new greeting')
  await hears('The new greeting')
  expect(await chat().getByText('The old greeting').count()).toBe(0)
  // what is being typed stays, and so does what it is an answer to
  await field().fill('Ad')
  await publish('The third greeting')
  await field().pressSequentially('a')
  await chat().getByRole('button', { name: 'Send' }).click()
  await hears('New thanks')
  await publish('The fourth greeting')
  await page.reload()
  await hears('Ada')
  await hears('New thanks')
  // a page that was left without a word begins with what is published, though nobody told it
  await page.evaluate(() => window.Parley?.push(['reset']))
  await hears('The fourth greeting')
  await insertNextVersion(server.context.db, bot, flowOf([['start'], says('The fifth greeting'), asks('Who?')]))
  await page.goto(`${site.url}/two`)
  await hears('The fifth greeting')
})

it('comes back with a page that the browser has kept, and hears what is said', async () => {
  await embed(flowOf([...talk[0]]))
  await open()
  await hears('Who are you?')
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told, persisted: null })
    addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
    window.Parley?.push(['on', 'message', ({ text }: { text: string }) => told.push(text)])
  })
  await page.goto(`${site.url}/two`)
  await page.evaluate(() => setTimeout(() => history.back()))
  await page.waitForURL(`${site.url}/`, { waitUntil: 'commit' })
  const kept = () =>
    page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation') as (PerformanceEntry & {
        notRestoredReasons?: object
      })[]
      const { persisted } = window as { persisted?: boolean }
      return { persisted, reasons: JSON.stringify(entry?.notRestoredReasons ?? null) }
    })
  await expect.poll(kept).toEqual({ persisted: true, reasons: 'null' })
  await page.evaluate(() => window.Parley?.push(['send', 'Ada']))
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told.join()))
    .toContain('What do you need?')
})

it('keeps what is sent without a network, and sends it once, in order', async () => {
  const bot = await embed(flowOf([...talk[0]]))
  await open()
  await hears('Who are you?')
  await browser.context.setOffline(true)
  try {
    await page.evaluate(() => window.Parley?.push(['send', 'Ada'], ['send', 'A lamp']))
    await hears('Ada')
    expect(await heardOf(bot)).toEqual([])
  } finally {
    await browser.context.setOffline(false)
  }
  await hears('Thank you')
  expect(await heardOf(bot)).toEqual(['Ada', 'A lamp'])
  // the browser's own words about the network
  browser.errors.splice(0)
})

it('goes on after days, and begins anew though what let the page have it is long over', async () => {
  await embed(flowOf([...talk[0]]), { embed: { whitelisted_domains: ['localhost'] } })
  await open()
  await hears('Who are you?')
  await writes('Ada')
  await hears('What do you need?')
  clock.pass(10 * DAY)
  await page.reload()
  await hears('Ada')
  await writes('A lamp')
  await hears('Thank you')
  clock.pass(DAY)
  // the page has been there all the time
  await chat().getByRole('button', { name: 'Start again' }).first().click()
  await chat().getByRole('alertdialog').getByRole('button', { name: 'Start again' }).click()
  await chat().getByText('Thank you').waitFor({ state: 'detached' })
  await hears('Who are you?')
  browser.errors.splice(0)
})

it('talks in a browser that stores nothing, and whose clock is wrong', async () => {
  const odd = await launchBrowser()
  try {
    await openShadows(odd.context)
    await odd.context.clock.setSystemTime(new Date('2001-01-01T00:00:00Z'))
    await odd.context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
    })
    await embed(flowOf([...talk[0]]), { embed: { whitelisted_domains: ['localhost'] } })
    await odd.page.goto(site.url)
    await odd.page.locator('button.launcher').click()
    await hears('Who are you?', odd.page)
    await chat(odd.page).getByRole('textbox', { name: 'Your message' }).fill('Ada')
    await chat(odd.page).getByRole('button', { name: 'Send' }).click()
    await hears('What do you need?', odd.page)
    expect(odd.errors).toEqual([])
  } finally {
    await odd.close()
  }
})

it('leaves a page as it is where something keeps the script, the launcher, the settings or the frame out', async () => {
  const bot = await embed(flowOf([...talk[0]]))
  const nothing = async () => expect(await page.locator('parley-launcher').count()).toBe(0)
  const without = async (path: string, outcome: () => Promise<unknown>) => {
    const address = `${server.url}${path}`
    await page.route(address, (route) => route.abort('blockedbyclient'))
    await page.goto(site.url)
    await outcome()
    await page.unroute(address)
  }
  const thrown: Error[] = []
  page.on('pageerror', (error) => thrown.push(error))
  await without('/embed.js*', nothing)
  await without('/assets/launcher-*', async () => {
    await expect.poll(() => browser.errors.join()).toContain('Parley: the chat could not be loaded')
    await nothing()
  })
  await without('/api/embed/*', async () => {
    await expect.poll(() => said.join()).toContain('did not answer')
    await nothing()
  })
  await page.clock.install()
  await without(`/embed/@${bot.egid}*`, async () => {
    await launcher().click()
    await dialog().waitFor()
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000)
        return said.join()
      })
      .toContain('the chat does not come from')
    await launcher().waitFor({ state: 'hidden' })
    expect(await dialog().isVisible()).toBe(false)
  })
  expect(thrown).toEqual([])
  browser.errors.splice(0)
})

it('stays where its frame has spoken long before its fonts have come', async () => {
  await embed(flowOf([...talk[0]]))
  let letFontsCome = () => {}
  const late = new Promise<void>((done) => {
    letFontsCome = done
  })
  let held = 0
  await page.route(/\.woff2$/, async (route) => {
    held++
    await late
    await route.continue()
  })
  await page.clock.install()
  await page.goto(site.url)
  await launcher().click()
  await hears('Who are you?')
  await field().waitFor()
  await expect.poll(() => held).toBeGreaterThan(0)
  const [, frame] = page.frames()
  const loaded = frame?.waitForLoadState('load')
  letFontsCome()
  await loaded
  await page.clock.runFor(60_000)
  expect(said).toEqual([])
  expect(await dialog().isVisible()).toBe(true)
})

it('fills a small view and one that is magnified, and what the keyboard of a phone leaves of it', async () => {
  await embed(flowOf([...talk[0]]))
  // 1440 x 900 at 200 %
  await page.setViewportSize({ width: 720, height: 450 })
  await open()
  await hears('Who are you?')
  expect(await dialog().boundingBox()).toEqual({ x: 0, y: 0, width: 720, height: 450 })
  await close()
  await page.setViewportSize({ width: 390, height: 844 })
  await launcher().click()
  await field().waitFor()
  expect(await dialog().boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  // Safari magnifies a page for a field with smaller letters
  const size = await field().evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  expect(size).toBeGreaterThanOrEqual(16)
  await page.evaluate(() => {
    const view = window.visualViewport
    for (const [name, value] of [
      ['height', 500],
      ['offsetTop', 40],
    ] as const)
      Object.defineProperty(view, name, { get: () => value })
    view?.dispatchEvent(new Event('resize'))
  })
  await expect.poll(() => dialog().boundingBox()).toEqual({ x: 0, y: 40, width: 390, height: 500 })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const animation = () => dialog().evaluate((element) => getComputedStyle(element).animationName)
  expect(await animation()).toBe('rise')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await animation()).toBe('none')
})

it('says outside of its hours that it is closed, with a way out', async () => {
  const schedule = { enabled: true, outside: 'form', message: 'Back on Monday' }
  await embed(flowOf([...talk[0]]), { visibility: { schedule } })
  await open()
  await chat().getByText('Back on Monday').waitFor()
  for (const name of ['Your name', 'Your email address', 'Your message']) {
    const size = await chat()
      .getByLabel(name, { exact: true })
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
    expect(size, name).toBeGreaterThanOrEqual(16)
  }
  await close()
  await launcher().click()
  await chat().getByLabel('Your email address', { exact: true }).press('Escape')
  await dialog().waitFor({ state: 'hidden' })
})
