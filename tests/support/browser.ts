import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type ConsoleMessage, chromium, type Page } from 'playwright-core'
import { restOfWeb } from './restOfWeb'

export interface TestBrowser {
  /** one person's browser: separate cookies and storage; its first page is open */
  context: BrowserContext
  page: Page
  /** errors printed by the pages, and uncaught exceptions */
  errors: string[]
  close: () => Promise<void>
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface Options extends NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]> {
  /** a host name that leads to this machine, as if a DNS server said so */
  hostHere?: string
}

/**
 * Starts Chromium with an empty profile; `CHROMIUM_PATH` names another one than Debian's. What is not on this machine is a picture
 * (restOfWeb.ts). Call `close` when done.
 */
export async function launchBrowser({ hostHere, ...options }: Options = {}): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
    args: [
      ...FLAGS,
      // names of this machine are never asked of a proxy
      `--proxy-server=127.0.0.1:${await restOfWeb()}`,
      '--ignore-certificate-errors',
      ...(hostHere ? [`--host-resolver-rules=MAP ${hostHere} 127.0.0.1`, `--proxy-bypass-list=${hostHere}`] : []),
      ...(options.args ?? []),
    ],
  })
  context.setDefaultTimeout(60_000)
  const errors: string[] = []
  context.on('weberror', (event) => errors.push(String(event.error())))
  context.on('console', (message) => message.type() === 'error' && errors.push(printed(message)))
  const page = context.pages()[0] ?? (await context.newPage())
  await slowDown(context)
  const close = async () => {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
  return { context, page, errors, close }
}

/** What a page printed; of an answer that it could not use, with the path that it had asked for. */
function printed(message: ConsoleMessage): string {
  const text = message.text()
  if (!text.startsWith('Failed to load resource')) return text
  return `${text}: ${new URL(message.location().url, 'http://unknown').pathname}`
}

/** Slows pages down (`CPU_SLOWDOWN=5` simulates a busy CI), which shows what a test forgot to wait for. */
async function slowDown(context: BrowserContext): Promise<void> {
  const rate = Number(process.env.CPU_SLOWDOWN ?? 1)
  if (!(rate > 1)) return
  const slow = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
  }
  // a page may be closed at once
  context.on('page', (page) => void slow(page).catch(() => {}))
  await Promise.all(context.pages().map(slow))
}
