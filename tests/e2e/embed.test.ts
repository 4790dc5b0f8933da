import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultLook } from '../../server/contracts/web/look'
import { languageSchema, surveySchema, visibilitySchema } from '../../server/contracts/web/settings'
import { web } from '../../server/modules/web/module'
import { createSecrets } from '../../server/platform/secrets/secrets'
import type {} from '../../src/widget/embed/api'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type EmbeddedBots, openShadows, startEmbeddedBots, startSite } from '../support/embeddedBots'

/**
 * A chatbot on pages of another site, in a browser, with the real server behind it. A long file, since all of it uses
 * one build of the chat page, one server and one browser.
 */
let chatPage: ChatPage
let bots: EmbeddedBots
let site: Awaited<ReturnType<typeof startSite>>
let browser: TestBrowser
let page: Page
/** what the pages said in the console, to whoever made them */
const said: string[] = []

beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[bots, browser, site] = await Promise.all([startEmbeddedBots(chatPage.folder), launchBrowser(), startSite()])
  page = browser.page
  await openShadows(browser.context)
  browser.context.on('console', (message) => message.type() === 'warning' && said.push(message.text()))
})
afterAll(() => Promise.all([browser.close(), bots.server.close(), chatPage.remove(), site.close()]))
afterEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('about:blank')
  said.splice(0)
  expect(browser.errors.splice(0)).toEqual([])
})

const question = { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 } as const
const launcher = (on = page) => on.getByRole('button', { name: 'Open the chat' })
const closer = () => page.locator('button.launcher')
const chat = (on = page) => on.frameLocator('iframe')
const field = (on = page) => chat(on).getByRole('textbox', { name: 'Your message' })
const hears = (text: string, on = page) => chat(on).getByRole('log').getByText(text, { exact: true }).last().waitFor()
async function writes(text: string, on = page): Promise<void> {
  await field(on).fill(text)
  await chat(on).getByRole('button', { name: 'Send' }).click()
}
/** What a page's policy has to name. */
const sources = () => `connect-src ${bots.server.url}; frame-src ${bots.server.url}`
/** The page has said this, and shows nothing. */
async function refuses(words: RegExp): Promise<void> {
  await expect.poll(() => said.join('\n')).toMatch(words)
  expect(await page.locator('parley-launcher, iframe').count()).toBe(0)
}

it('shows its launcher, opens, and talks', async () => {
  const bot = await bots.embed(['Hello from the harbour', question, 'Thank you'])
  site.pages['/'] = { head: bot.line() }
  await page.goto(site.url)
  await launcher().click()
  await hears('Hello from the harbour')
  await writes('Ahoy')
  await hears('Thank you')
  expect(bot.replies[1]).toMatchObject({ type: 'text', text: 'Ahoy' })
  await expectAccessible(page, 'a page with an open chat')
})

it('loads no more than it says before it is opened, sets no cookie and moves nothing', async () => {
  const bot = await bots.embed(['Hello', question])
  site.pages['/'] = { head: bot.line() }
  const loaded: string[] = []
  page.on(
    'request',
    (request) => request.url().startsWith(bots.server.url) && loaded.push(new URL(request.url()).pathname),
  )
  await page.goto(site.url)
  await expect.poll(() => page.evaluate(() => window.Parley !== undefined && !Array.isArray(window.Parley))).toBe(true)
  expect(loaded.filter((path) => !/^\/(embed\.js|api\/embed\/|assets\/(launcher|embed)-)/.test(path))).toEqual([])
  expect(await browser.context.cookies()).toEqual([])
  const shifts = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().length)).observe({
          type: 'layout-shift',
          buffered: true,
        })
        requestAnimationFrame(() => requestAnimationFrame(() => done(0)))
      }),
  )
  expect(shifts).toBe(0)
})

describe('for a visitor who is new', () => {
  const opened: TestBrowser[] = []
  afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())))

  /** A browser that knows nothing, on a page whose chat stands ready. `hold` keeps back all that the chat asks for but its page. */
  async function newcomer(bot: Awaited<ReturnType<EmbeddedBots['embed']>>, options = {}) {
    const fresh = await launchBrowser(options)
    opened.push(fresh)
    await openShadows(fresh.context)
    site.pages['/'] = { head: bot.line() }
    await fresh.page.goto(site.url)
    await expect.poll(() => fresh.page.evaluate(() => window.Parley && !Array.isArray(window.Parley))).toBe(true)
    const answered: string[] = []
    fresh.page.on('response', (response) => answered.push(decodeURIComponent(new URL(response.url()).pathname)))
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    const hold = () =>
      fresh.context.route(
        (url) => /^\/(assets|api\/chat)\//.test(url.pathname),
        (route) => held.then(() => route.continue()),
      )
    return { ...fresh, answered, hold, release: () => release() }
  }
  const begun = ({ chatbotId }: { chatbotId: string }) =>
    bots.server.context.db.selectFrom('conversations').select('gid').where('chatbot_id', '=', chatbotId).execute()

  it('has its first message in the answer to one request, and goes on with it once its scripts have come', async () => {
    const bot = await bots.embed(['Hello from the harbour', question, 'Thank you', question])
    const { page: own, answered, hold, release, errors } = await newcomer(bot)
    await hold()
    expect(await begun(bot)).toEqual([])
    await launcher(own).click()
    await hears('Hello from the harbour', own)
    await expect.poll(() => own.locator('iframe').evaluate((frame) => getComputedStyle(frame).opacity)).toBe('1')
    expect(answered).toEqual([`/embed/@${bot.egid}`])
    expect(await chat(own).locator('#chat').getAttribute('inert')).toBe('')
    release()
    await writes('Ahoy', own)
    await hears('Thank you', own)
    expect(await begun(bot)).toHaveLength(1)
    const [, frame] = own.frames()
    expect(frame?.url()).toBe(`${bots.server.url}/embed/@${bot.egid}#parley`)
    // the visitor comes again: the same conversation, which nothing was begun beside
    await own.reload()
    await hears('Ahoy', own)
    expect(await begun(bot)).toHaveLength(1)
    expect(errors).toEqual([])
  })

  it('is drawn in the dark where the system is, before its scripts have come as after', async () => {
    const bot = await bots.embed(['Hello from the harbour', question])
    const { page: own, hold, release } = await newcomer(bot, { colorScheme: 'dark' })
    await hold()
    await launcher(own).click()
    await hears('Hello from the harbour', own)
    const colours = () =>
      chat(own)
        .getByRole('main')
        .evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color])
    const drawn = await colours()
    release()
    await field(own).waitFor()
    await expect.poll(() => chat(own).locator('#chat').getAttribute('inert')).toBeNull()
    expect(await chat(own).locator('#first-dark').count()).toBe(0)
    expect(await colours()).toEqual(drawn)
  })

  it('is there again, open as it was, when its frame speaks after it was taken for kept out', async () => {
    const bot = await bots.embed(['Hello', question])
    const { page: own } = await newcomer(bot)
    await own.route(`**/embed/@${bot.egid}*`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('<script type="module"', '<script type="later"')
      await route.fulfill({ response, body })
    })
    const heard: string[] = []
    own.on('console', (message) => heard.push(message.text()))
    await own.clock.install()
    await launcher(own).click()
    await expect
      .poll(async () => {
        await own.clock.runFor(5_000)
        return heard.join()
      })
      .toContain('the chat does not come from')
    await own.locator('dialog').waitFor({ state: 'hidden' })
    await own.frames()[1]?.evaluate(() => {
      const script = document.createElement('script')
      script.type = 'module'
      script.src = document.querySelector<HTMLScriptElement>('script[type=later]')?.src ?? ''
      document.head.append(script)
    })
    await own.locator('dialog').waitFor()
    await hears('Hello', own)
  })

  it('asks for a conversation itself where the page has said who the visitor is, or anything of them', async () => {
    const bot = await bots.embed(['Hello', question, 'Thank you'])
    const { page: own, answered } = await newcomer(bot)
    await own.evaluate(() => window.Parley?.push(['setVariables', { plan: 'gold' }]))
    await launcher(own).click()
    await hears('Hello', own)
    await expect.poll(() => answered).toContain(`/api/chat/@${bot.egid}/conversations`)
    expect(await begun(bot)).toHaveLength(1)
  })
})

describe('on a page that makes it hard', () => {
  it('works under a policy with a nonce, a strict style-src and trusted types', async () => {
    const bot = await bots.embed(['Strictly yours', question])
    site.pages['/strict'] = {
      head: bot.line('', 'nonce="abc123"'),
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'nonce-abc123'; style-src 'none'; ${sources()}; require-trusted-types-for 'script'`,
      },
    }
    await page.goto(`${site.url}/strict`)
    await launcher().click()
    await hears('Strictly yours')
    await expect
      .poll(() => closer().evaluate((button) => getComputedStyle(button).backgroundColor))
      .toBe('rgb(15, 118, 110)')
  })

  it('says what a policy lacks', async () => {
    const bot = await bots.embed(['Hello'])
    site.pages['/shut'] = {
      head: bot.line('', 'nonce="abc123"'),
      headers: { 'content-security-policy': "default-src 'none'; script-src 'nonce-abc123'" },
    }
    await page.goto(`${site.url}/shut`)
    await refuses(/did not answer.*connect-src/)
    // the browser's own words about the policy
    await expect.poll(() => browser.errors.length).toBeGreaterThan(0)
    browser.errors.splice(0)
  })

  it('is untouched by styles that hide all, and by prototypes that were replaced', async () => {
    const bot = await bots.embed(['Still here', question])
    site.pages['/hostile'] = {
      head: `<style>*{display:none!important;visibility:hidden!important;opacity:0!important;transform:scale(0)!important}
html{transform:none!important;visibility:visible!important;opacity:1!important;display:block!important}
iframe,button,dialog{width:1px!important;color:red!important}</style>
<script>
for (const name of ['map','forEach','filter','includes','reduce','concat','indexOf']) Array.prototype[name] = () => { throw new Error('hostile') }
for (const name of ['startsWith','endsWith','includes','trim']) String.prototype[name] = () => { throw new Error('hostile') }
Array.prototype.toJSON = () => 'hostile'
Object.prototype.extra = 'hostile'
JSON.stringify = () => 'hostile'
Element.prototype.append = Element.prototype.remove = Element.prototype.replaceChildren = () => { throw new Error('hostile') }
Document.prototype.getElementById = Document.prototype.querySelector = () => null
</script>${bot.line()}`,
    }
    await page.goto(`${site.url}/hostile`)
    await page.locator('button.launcher').click()
    await hears('Still here')
    expect(await page.locator('dialog').boundingBox()).toMatchObject({ width: 400 })
    await chat().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(false)
  })

  it('stands on the side that it was given, from right to left, in the visitor’s language', async () => {
    const bot = await bots.embed(['مرحبا', question])
    site.pages['/rtl'] = { head: bot.line(), dir: 'rtl' }
    const arabic = await launchBrowser({ locale: 'ar' })
    await openShadows(arabic.context)
    await arabic.page.goto(`${site.url}/rtl`)
    const button = arabic.page.getByRole('button', { name: 'افتح المحادثة' })
    const box = await button.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1_400)
    await button.click()
    await hears('مرحبا', arabic.page)
    await expectAccessible(arabic.page, 'a page from right to left')
    expect(arabic.errors).toEqual([])
    await arabic.close()
  })

  it('goes on where a frame is kept from storage: the page keeps the conversation', async () => {
    const bot = await bots.embed(['Hello', question, 'Noted', question])
    site.pages['/'] = { head: bot.line() }
    const blocked = await launchBrowser()
    await openShadows(blocked.context)
    await blocked.context.addInitScript(() => {
      if (!location.pathname.startsWith('/embed/')) return
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
    })
    await blocked.page.goto(site.url)
    await launcher(blocked.page).click()
    await hears('Hello', blocked.page)
    await writes('Seven lamps', blocked.page)
    await hears('Noted', blocked.page)
    await blocked.page.reload()
    await hears('Seven lamps', blocked.page)
    expect(blocked.errors).toEqual([])
    await blocked.close()
  })
})

describe('where it may not be', () => {
  it('shows nothing on a site that is not allowed, and says so once', async () => {
    const bot = await bots.embed(['Hello'], { whitelisted_domains: ['shop.example'] })
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await refuses(/http:\/\/localhost:\d+ may not show the chatbot/)
    expect(said).toHaveLength(1)
    // the browser's own words: it keeps the answer from the page
    await expect.poll(() => browser.errors.length).toBeGreaterThan(0)
    browser.errors.splice(0)
  })

  it('is there on a site that is allowed, its frame too', async () => {
    const bot = await bots.embed(['Hello, friend', question], { whitelisted_domains: ['localhost'] })
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello, friend')
  })

  it('says that there is no such chatbot', async () => {
    site.pages['/'] = { head: `<script async src="${bots.server.url}/embed.js?chatbot=nothing"></script>` }
    await page.goto(site.url)
    await refuses(/there is no chatbot nothing, or it is not published/)
    await expect.poll(() => browser.errors.length).toBeGreaterThan(0)
    browser.errors.splice(0)
  })

  it('is hidden on the pages and beside the elements that its editors name', async () => {
    const bot = await bots.embed(['Hello'], { hide_urls: ['/checkout', '/a*z'], excluded_class: 'till' })
    for (const path of ['/', '/checkout', '/abcz']) site.pages[path] = { head: bot.line() }
    site.pages['/till'] = { head: bot.line(), body: '<div class="till">Pay here</div>' }
    await page.goto(site.url)
    await launcher().waitFor()
    for (const path of ['/checkout', '/abcz', '/till']) {
      await page.goto(site.url + path)
      await closer().waitFor({ state: 'hidden' })
    }
    await page.evaluate(() => document.querySelector('.till')?.remove())
    await launcher().waitFor()
    await page.evaluate(() => history.pushState(null, '', '/checkout'))
    await closer().waitFor({ state: 'hidden' })
    await page.evaluate(() => history.back())
    await launcher().waitFor()
  })
})

describe('two of them', () => {
  it('is one where the line is in the page twice', async () => {
    const bot = await bots.embed(['Hello'])
    site.pages['/'] = { head: bot.line() + bot.line() }
    await page.goto(site.url)
    await launcher().waitFor()
    await expect.poll(() => said.join()).toContain('in this page twice')
    expect(await page.locator('parley-launcher').count()).toBe(1)
  })

  it('leaves the page to the first chatbot, and says so', async () => {
    const [first, second] = await Promise.all([bots.embed(['First']), bots.embed(['Second'])])
    site.pages['/'] = { head: first.line() + second.line() }
    await page.goto(site.url)
    await launcher().waitFor()
    // which of two scripts comes first is the browser's to say
    const [one, other] = [first.egid, second.egid]
    const either = new RegExp(`chatbot ${one} already, ${other} is not|chatbot ${other} already, ${one} is not`)
    await expect.poll(() => said.join()).toMatch(either)
    expect(await page.locator('parley-launcher').count()).toBe(1)
  })

  it('are both there as parts of the page', async () => {
    const [first, second] = await Promise.all([bots.embed(['First', question]), bots.embed(['Second', question])])
    const element = (egid: string) => `<parley-chat chatbot="${egid}"></parley-chat>`
    site.pages['/'] = {
      head: `<script async src="${bots.server.url}/embed.js?kind=inline"></script><style>parley-chat{height:400px}</style>`,
      body: element(first.egid) + element(second.egid),
    }
    await page.goto(site.url)
    const chats = page.locator('parley-chat')
    await chats.first().locator('iframe').contentFrame().getByText('First').waitFor()
    await chats.last().scrollIntoViewIfNeeded()
    await chats.last().locator('iframe').contentFrame().getByText('Second').waitFor()
    await expectAccessible(page, 'a page with chats in it')
  })
})

describe('the same conversation', () => {
  // of another site, whose frames this browser keeps from storage; and of the same site, where frames have their own
  it.each(['localhost', '127.0.0.1'])('goes on across pages and tabs of %s, open where it was open', async (host) => {
    const home = site.url.replace('localhost', host)
    const bot = await bots.embed(['Hello', question, 'Noted', question])
    for (const path of ['/', '/two']) site.pages[path] = { head: bot.line() }
    await page.goto(home)
    await launcher().click()
    await hears('Hello')
    await writes('Three lamps')
    await hears('Noted')
    await page.goto(`${home}/two`)
    await hears('Three lamps')
    const other = await browser.context.newPage()
    const streams: string[] = []
    other.on('request', (request) => request.url().includes('/events?') && streams.push(request.url()))
    await other.goto(home)
    await launcher(other).click()
    await hears('Three lamps', other)
    // what is typed before all of it is there answers a question of before, and goes with it
    await hears('Noted', other)
    // what is said in one tab comes to the other
    await field(other).fill('And a wick')
    await chat(other).getByRole('button', { name: 'Send' }).click()
    await hears('And a wick')
    // tabs whose frames have storage share one stream
    if (host === '127.0.0.1') expect(streams).toEqual([])
    await other.close()
  })

  it('keeps nothing before the visitor agreed, where that is waited for', async () => {
    const bot = await bots.embed(['Hello', question, 'Noted', question], { consent: true })
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    const kept = () =>
      page.evaluate(
        (egid) => Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => key.includes(egid)),
        bot.egid,
      )
    expect(await kept()).toEqual([])
    await page.evaluate(() => window.Parley?.push(['consent', true, { analytics: false }]))
    await expect.poll(kept).toContain(`parley:${bot.egid}:frame:parley:visitor`)
    const said = () =>
      bots.server.context.db.selectFrom('consents').select(['given', 'question']).orderBy('id').execute()
    await expect.poll(said).toEqual([{ given: true, question: '' }])
    const counts = async () =>
      (
        await bots.server.context.db
          .selectFrom('conversations')
          .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
          .select('analytics')
          .where('chatbots.egid', '=', bot.egid)
          .execute()
      ).map(({ analytics }) => analytics)
    await expect.poll(counts).toEqual([false])
    await page.evaluate(() => {
      window.Parley?.push(['consent', false])
      window.Parley?.push(['consent', true])
    })
    await expect.poll(said).toHaveLength(3)
    await expect.poll(counts).toEqual([true])
    await writes('Yes')
    await hears('Noted')
    await page.reload()
    await launcher().click()
    await hears('Yes')
  })
})

describe('by keyboard and on a phone', () => {
  it('is closed by Escape and gives the keyboard back', async () => {
    const bot = await bots.embed(['Hello', question])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().focus()
    await page.keyboard.press('Enter')
    await hears('Hello')
    await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className))
      .toBe('launcher')
  })

  it('takes the whole screen of a phone, modal, with a way out', async () => {
    const bot = await bots.embed(['Hello', question])
    site.pages['/'] = { head: bot.line() }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    expect(await page.locator('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    expect(await page.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
    await expectAccessible(page, 'an open chat on a phone')
    await chat().getByRole('button', { name: 'Close' }).click()
    await page.locator('dialog').waitFor({ state: 'hidden' })
    await launcher().waitFor()
  })

  it('is opened over the page by a button of the page', async () => {
    const bot = await bots.embed(['Hello', question])
    site.pages['/'] = { head: bot.line('popup'), body: '<button data-parley-open>Ask us</button>' }
    await page.goto(site.url)
    await expect
      .poll(() => page.evaluate(() => window.Parley !== undefined && !Array.isArray(window.Parley)))
      .toBe(true)
    await page.getByRole('button', { name: 'Ask us' }).click()
    await hears('Hello')
    expect(await page.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Ask us')
  })

  it('is left out of what is printed', async () => {
    const bot = await bots.embed(['Hello'])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().waitFor()
    await page.emulateMedia({ media: 'print' })
    await closer().waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: null })
    await launcher().waitFor()
  })
})

describe('what a page does with it', () => {
  it('carries out calls that were made before it was there, and tells what happens', async () => {
    const bot = await bots.embed(['Hello', question, 'Noted', question], { data_layer: true })
    site.pages['/'] = {
      head: `<script>
window.told = []
;(window.Parley ||= []).push(['on', 'message', ({ from, text }) => told.push(from + ': ' + text)], ['send', 'From the page'])
</script>${bot.line()}`,
    }
    await page.goto(site.url)
    await hears('Noted')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told))
      .toEqual(['bot: Hello', 'visitor: From the page', 'bot: Noted'])
    const events = await page.evaluate(() => window.dataLayer?.map((entry) => (entry as { event: string }).event))
    expect(events).toEqual(expect.arrayContaining(['parley_ready', 'parley_open', 'parley_message']))
  })

  it('takes a visitor by the chatbot’s signature, and nobody without', async () => {
    const bot = await bots.embed(['Hello', question])
    const { db, config, ids } = bots.server.context
    const gid = ids()
    const place = { project_id: bot.projectId, chatbot_id: bot.chatbotId }
    const sealed_secret = createSecrets(config).seal('open sesame', {
      projectId: bot.projectId,
      row: `identity_secrets/${gid}`,
    })
    await db
      .insertInto('identity_secrets')
      .values({ gid, ...place, sealed_secret, created_at: new Date() })
      .execute()
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    const become = (hash: string) =>
      page.evaluate(
        (user) => {
          const { Parley } = window
          return Parley && 'setUser' in Parley
            ? Parley.setUser(user).then(
                () => 'taken',
                (problem) => problem.message,
              )
            : ''
        },
        { id: 'u-17', hash },
      )
    expect(await become('0'.repeat(64))).toContain('not signed')
    // the browser tells of the answer 403
    await expect.poll(() => browser.errors.splice(0).length).toBeGreaterThan(0)
    await hears('Hello')
    expect(await become(createHmac('sha256', 'open sesame').update('u-17').digest('hex'))).toBe('taken')
    await hears('Hello')
  })

  it('is loaded anew when another look was published, once nobody looks at it', async () => {
    // what is spread over a minute comes at once
    await page.addInitScript(() => {
      Math.random = () => 0
    })
    const bot = await bots.embed(['Hello', question])
    site.pages['/'] = { head: bot.line() }
    // its answer begins once the server tells it of publications
    const streaming = () => page.waitForResponse((response) => response.url().includes('/events?'))
    const before = streaming()
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    await before
    let loaded = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === `/embed/@${bot.egid}`) loaded++
    })
    const stream = streaming()
    await page.reload()
    await hears('Hello')
    await stream
    loaded = 0
    bots.server.app.modules.provided(web).publications.publish(bot.chatbotId, 'web')
    await chat().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => loaded, { timeout: 30_000 }).toBe(1)
    await launcher().click()
    await hears('Hello')
  })

  it('hears what the page does while the chat is being drawn', async () => {
    const bot = await bots.embed(['Hello', question])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    // what this visitor wrote before was German, whose texts come late
    await page.evaluate((egid) => localStorage.setItem(`parley:${egid}:frame:parley:language:@${egid}`, 'de'), bot.egid)
    await page.reload()
    let release = () => {}
    const late = new Promise<void>((done) => {
      release = done
    })
    const held = page.waitForRequest(/\/assets\/de-/)
    await page.route(/\/assets\/de-/, async (route) => {
      await late
      await route.continue()
    })
    await launcher().click()
    await held
    await page.evaluate(() => window.Parley?.push(['close']))
    await page.locator('dialog').waitFor({ state: 'hidden' })
    release()
    // nobody has seen it
    await page.getByRole('status').getByText('Hello', { exact: true }).waitFor()
    await page.unrouteAll()
  })

  it('shows another look, and what another plan decides, to who looks at it', async () => {
    await page.addInitScript(() => {
      Math.random = () => 0
    })
    const { db } = bots.server.context
    const plain = { ...defaultLook, parts: { ...defaultLook.parts, branding: false } }
    const bot = await bots.embed(['Hello', question], {}, plain)
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    const stream = page.waitForResponse((response) => response.url().includes('/events?'))
    await launcher().click()
    await hears('Hello')
    await stream
    await field().fill('Half a sentence')
    const branding = chat().getByText('Made with Parley', { exact: true })
    expect(await branding.count()).toBe(0)
    const setPlan = async (plan_id: string) => {
      await db.updateTable('projects').set({ plan_id }).where('id', '=', bot.projectId).execute()
      await bots.server.app.modules.consumers.runDue()
    }
    await setPlan('free')
    await branding.waitFor()
    await setPlan('self-hosted')
    await branding.waitFor({ state: 'detached' })
    const look = { ...plain, brand: { ...plain.brand, name: 'Harbour Bar' } }
    await db
      .updateTable('web_chats')
      .set({ look_published: JSON.stringify(look) })
      .where('chatbot_id', '=', bot.chatbotId)
      .execute()
    bots.server.app.modules.provided(web).publications.publish(bot.chatbotId, 'web')
    await chat().getByRole('heading', { name: 'Harbour Bar', exact: true }).waitFor()
    expect(await field().inputValue()).toBe('Half a sentence')
  })

  it('says in other words, asks, and is closed and open again, as soon as that is set, to who looks at it', async () => {
    await page.addInitScript(() => {
      Math.random = () => 0
    })
    const bot = await bots.embed(['Hello', question, 'Bye'])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    const stream = page.waitForResponse((response) => response.url().includes('/events?'))
    await launcher().click()
    await hears('Hello')
    await stream
    const set = async (columns: object) => {
      const texts = Object.entries(columns).map(([name, value]) => [name, JSON.stringify(value)])
      await bots.server.context.db
        .updateTable('web_chats')
        .set(Object.fromEntries(texts))
        .where('chatbot_id', '=', bot.chatbotId)
        .execute()
      bots.server.app.modules.provided(web).publications.publish(bot.chatbotId, 'web')
    }
    await field().fill('Half a sentence')
    const own = { en: { restart: 'From the top', surveyTitle: 'How did we do?' } }
    await set({
      language: languageSchema.parse({ texts: own }),
      survey: surveySchema.parse({ enabled: true }),
    })
    await chat().getByRole('button', { name: 'From the top', exact: true }).waitFor()
    expect(await field().inputValue()).toBe('Half a sentence')
    const schedule = { enabled: true, outside: 'message', message: 'Back on Monday' }
    await set({ visibility: visibilitySchema.parse({ schedule }) })
    await chat().getByText('Back on Monday').waitFor()
    expect(await field().count()).toBe(0)
    await set({ visibility: visibilitySchema.parse({}) })
    await writes('Ahoy')
    await chat().getByRole('region', { name: 'How did we do?' }).waitFor()
    await set({ language: languageSchema.parse({ interface_language: 'de', texts: own }) })
    await chat().getByRole('button', { name: 'Neu beginnen', exact: true }).first().waitFor()
    await set({ survey: surveySchema.parse({}) })
    await chat().getByRole('region').waitFor({ state: 'detached' })
  })

  it('goes on in the language that its visitor writes in, unless one is set', async () => {
    const bot = await bots.embed(['Hello', question, 'Aha', question])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    await writes('متى يمكنني إرجاع المصباح الخاص بي؟')
    await chat().getByRole('button', { name: 'إرسال', exact: true }).waitFor()
    expect(await chat().locator('html').getAttribute('dir')).toBe('rtl')
    await page.reload()
    await hears('Aha')
    await chat().getByRole('button', { name: 'إرسال', exact: true }).waitFor()
  })

  it('leaves the conversation, and is gone when it is taken off', async () => {
    const bot = await bots.embed(['Hello', question, 'Noted', question])
    site.pages['/'] = { head: bot.line() }
    await page.goto(site.url)
    await launcher().click()
    await hears('Hello')
    await writes('Secret')
    await hears('Noted')
    await page.evaluate(() => window.Parley?.push(['reset']))
    await chat().getByText('Secret').waitFor({ state: 'detached' })
    await hears('Hello')
    expect(await chat().getByText('Noted').count()).toBe(0)
    await page.evaluate(() => window.Parley?.push(['destroy']))
    await expect.poll(() => page.locator('parley-launcher').count()).toBe(0)
    expect(await page.evaluate(() => window.Parley)).toBeUndefined()
  })
})
