import { source } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type EmbeddedBots, openShadows, startEmbeddedBots, startSite } from '../support/embeddedBots'

/** An embedded chat on five kinds of page, at a desk and on a phone: it opens, talks, and axe finds nothing. */
let chatPage: ChatPage
let bots: EmbeddedBots
let site: Awaited<ReturnType<typeof startSite>>
const devices: Record<string, TestBrowser> = {}

beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[bots, site] = await Promise.all([startEmbeddedBots(chatPage.folder), startSite()])
  devices.desk = await launchBrowser()
  devices.phone = await launchBrowser({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  for (const { context } of Object.values(devices)) await openShadows(context)
})
afterAll(async () => {
  await Promise.all(Object.values(devices).map(({ close }) => close()))
  await Promise.all([bots.server.close(), chatPage.remove(), site.close()])
})

type SitePage = (typeof site.pages)[string]
interface Kind {
  name: string
  page: (line: (kind?: string, attributes?: string) => string) => SitePage
  /** what happens on the page while the chat is open */
  meanwhile?: (page: Page) => Promise<unknown>
  /** nothing of the page's own scripts works, axe neither: it looks at the chat's frame alone */
  isBroken?: boolean
}

const kinds: Kind[] = [
  { name: 'a plain page', page: (line) => ({ head: line() }) },
  {
    name: 'a page with a strict policy',
    page: (line) => ({
      head: line('', 'nonce="abc123"'),
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'nonce-abc123'; style-src 'none'; connect-src ${bots.server.url}; frame-src ${bots.server.url}; require-trusted-types-for 'script'`,
      },
    }),
  },
  {
    name: 'a page that draws its next one itself',
    page: (line) => ({
      head: line(),
      body: `<p>Lamps for boats.</p><script>
addEventListener('popstate', () => draw())
window.draw = () => { document.querySelector('main').innerHTML = '<h1>' + location.pathname + '</h1><p>Drawn anew.</p>' }
</script>`,
    }),
    meanwhile: (page) =>
      page.evaluate(() => {
        history.pushState(null, '', '/drawn')
        ;(window as unknown as { draw: () => void }).draw()
      }),
  },
  { name: 'a page from right to left', page: (line) => ({ head: line(), dir: 'rtl' }) },
  {
    name: 'a hostile page',
    page: (line) => ({
      head: `<style>*{display:none!important;opacity:0!important;transform:scale(0)!important}
html{transform:none!important;opacity:1!important;display:block!important}iframe,button,dialog{width:1px!important}</style>
<script>
for (const name of ['map','forEach','filter','includes','reduce']) Array.prototype[name] = () => { throw new Error('hostile') }
Object.prototype.extra = JSON.stringify = () => 'hostile'
Document.prototype.querySelector = () => null
</script>${line()}`,
    }),
    isBroken: true,
  },
]

describe.each(['desk', 'phone'])('at a %s', (device) => {
  it.each(kinds)('opens, talks, and hinders nobody on $name', async ({ page: made, meanwhile, isBroken }) => {
    const { page, errors } = devices[device] as TestBrowser
    const question = { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 } as const
    const bot = await bots.embed(['Ahoy', question, 'Thank you'])
    site.pages['/'] = made(bot.line)
    await page.goto(site.url)
    await page.locator('button.launcher').click()
    const chat = page.frameLocator('iframe')
    const hears = (text: string) => chat.getByRole('log').getByText(text, { exact: true }).last().waitFor()
    await hears('Ahoy')
    await meanwhile?.(page)
    await chat.getByRole('textbox', { name: 'Your message' }).fill('Good evening')
    await chat.getByRole('button', { name: 'Send' }).click()
    await hears('Thank you')
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    const box = await page.locator('dialog').boundingBox()
    expect(box).toMatchObject(device === 'phone' ? { x: 0, y: 0, width, height } : { width: 400 })
    if (isBroken) expect(await objectionsInside(page)).toEqual([])
    else await expectAccessible(page, `${device}: an open chat`)
    await page.goto('about:blank')
    expect(errors.splice(0)).toEqual([])
  })
})

/** axe's violations in the chat's frame alone. */
async function objectionsInside(page: Page): Promise<string[]> {
  const frame = page.frames().find((each) => each.url().startsWith(bots.server.url))
  await frame?.evaluate(source)
  return (
    (await frame?.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      const { violations } = await axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
    })) ?? ['there is no frame']
  )
}
