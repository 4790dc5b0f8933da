import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packEmbed } from '../../server/cli/packEmbed.mjs'
import { root } from '../../server/cli/sources.mjs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type EmbeddedBots, openShadows, startEmbeddedBots, startSite } from '../support/embeddedBots'

/** The npm package as somebody installs it who has its tarball, in applications of React and Vue. */
let folder: string
let chatPage: ChatPage
let bots: EmbeddedBots
let site: Awaited<ReturnType<typeof startSite>>
let browser: TestBrowser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  const [tarball, page] = await Promise.all([packEmbed(join(folder, 'packed')), buildChatPage()])
  chatPage = page
  await mkdir(join(folder, 'app'))
  await writeFile(join(folder, 'app/package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }))
  execFileSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', tarball],
    {
      cwd: join(folder, 'app'),
      stdio: 'ignore',
    },
  )
  // what the application has itself
  for (const name of ['react', 'react-dom', 'vue']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'app/node_modules', name))
  }
  ;[bots, browser, site] = await Promise.all([startEmbeddedBots(chatPage.folder), launchBrowser(), startSite()])
  await openShadows(browser.context)
})
afterAll(async () => {
  await Promise.all([browser.close(), bots.server.close(), chatPage.remove(), site.close()])
  await rm(folder, { recursive: true, force: true })
})

const question = { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 } as const

/** An application of one module, as a script in a page. */
async function show(name: string, source: string): Promise<void> {
  const app = join(folder, 'app')
  await writeFile(join(app, `${name}.js`), source)
  await build({
    root: app,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    build: {
      outDir: join(app, 'out', name),
      emptyOutDir: true,
      modulePreload: false,
      rollupOptions: { input: join(app, `${name}.js`), output: { entryFileNames: 'app.js' } },
    },
  })
  const script = await readFile(join(app, 'out', name, 'app.js'), 'utf8')
  site.pages['/'] = { body: `<div id="app"></div><script type="module">${script}</script>` }
  await browser.page.goto(site.url)
}

it('shows a bubble in React, and takes it away with its component', async () => {
  const bot = await bots.embed(['Hello from React', question])
  await show(
    'react',
    `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { ParleyBubble } from '@parley/embed/react'
const root = createRoot(document.getElementById('app'))
const props = { server: '${bots.server.url}', chatbot: '${bot.egid}', onReady: (chat) => chat.open() }
root.render(createElement(ParleyBubble, props))
window.leave = () => root.render(null)`,
  )
  const { page } = browser
  await page.frameLocator('iframe').getByText('Hello from React').waitFor()
  await page.evaluate(() => (window as unknown as { leave(): void }).leave())
  await page.locator('parley-launcher').waitFor({ state: 'detached' })
  expect(browser.errors).toEqual([])
})

it('shows a part of the page in Vue', async () => {
  const bot = await bots.embed(['Hello from Vue', question])
  await show(
    'vue',
    `import { createApp, h } from 'vue'
import { ParleyChat } from '@parley/embed/vue'
createApp({ render: () => h(ParleyChat, { server: '${bots.server.url}', chatbot: '${bot.egid}' }) }).mount('#app')`,
  )
  await browser.page.frameLocator('iframe').getByText('Hello from Vue').waitFor()
  expect(browser.errors).toEqual([])
})

it('brings its types along', async () => {
  const types = join(folder, 'app/node_modules/@parley/embed/types')
  const api = await readFile(join(types, 'embed/api.d.ts'), 'utf8')
  expect(api).toContain('setUser(user: SignedUser | null): Promise<void>')
  await writeFile(
    join(folder, 'app/typed.ts'),
    `import { loadParley } from '@parley/embed'
const chat = await loadParley({ server: 'https://a.example', chatbot: 'x' })
chat.on('message', ({ from }) => from.toUpperCase())
// @ts-expect-error there is no such event
chat.on('nothing', () => {})`,
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  execFileSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: join(folder, 'app'), stdio: 'inherit' })
})
