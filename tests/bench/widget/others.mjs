// Other products' widgets, installed into a temporary folder and put into a page as their documentation says.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

/** Where their programs are said to have a server. None is there: what needs one is said so. */
const NOWHERE = '/nothing'
const module = (code) => `<script type="module">${code}</script>`

/** Each with what its page has in it; `said` is a first message that it has without a server. */
const others = [
  {
    name: '@typebot.io/js',
    html: () => module(`import T from '/others/dist/web.js'; T.initBubble({ typebot: 'x', apiHost: '${NOWHERE}' })`),
  },
  {
    name: 'flowise-embed',
    html: () =>
      module(`import C from '/others/dist/web.js'; C.init({ chatflowid: 'x', apiHost: '${NOWHERE}',
  theme: { chatWindow: { welcomeMessage: 'Hello from the harbour' } } })`),
    said: 'Hello from the harbour',
  },
  {
    // npm can't install it: it names a version of its own parts that was never published. Its bundle has them in it.
    name: '@n8n/chat',
    isPacked: true,
    html: () =>
      `<link rel="stylesheet" href="/others/dist/style.css">${module(
        `import { createChat } from '/others/dist/chat.bundle.es.js'
createChat({ webhookUrl: '${NOWHERE}', loadPreviousSession: false, initialMessages: ['Hello from the harbour'] })`,
      )}`,
    said: 'Hello from the harbour',
  },
  {
    // a library for React pages, so React is in what it loads
    name: '@botpress/webchat',
    with: ['react', 'react-dom'],
    bundle: `import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Fab, Webchat } from '@botpress/webchat'
function App() {
  const [isOpen, setOpen] = useState(false)
  const place = { position: 'fixed', right: '20px' }
  return [
    h(Webchat, { key: 1, clientId: 'x', style: { ...place, width: '400px', height: '600px', bottom: '90px', display: isOpen ? 'flex' : 'none' } }),
    h(Fab, { key: 2, onClick: () => setOpen(!isOpen), style: { ...place, bottom: '20px', width: '64px', height: '64px' } }),
  ]
}
createRoot(document.body.appendChild(document.createElement('div'))).render(h(App))`,
    html: () => `<link rel="stylesheet" href="/others/dist/page.css">${module("import '/others/dist/page.js'")}`,
  },
]

/** @returns those that could be fetched: a name with its version, what a page has in it, and the folder of /others/ */
export async function fetchOthers(temporary) {
  const found = []
  for (const other of others) {
    const folder = join(temporary, other.name.replace(/\W/g, '-'))
    await mkdir(folder)
    try {
      await install(folder, other)
      const at = join(folder, 'node_modules', other.name)
      const { version } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))
      if (other.bundle) await bundle(folder, at, other.bundle)
      found.push({ name: `${other.name} ${version}`, html: other.html(), files: at, said: other.said })
    } catch (error) {
      console.log(`${other.name} could not be fetched, and is left out: ${String(error).split('\n', 1)[0]}`)
    }
  }
  return found
}

async function install(folder, { name, with: more = [], isPacked }) {
  const npm = (...args) =>
    execFileSync('npm', [...args, '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  if (!isPacked) return npm('install', '--no-audit', '--no-fund', name, ...more)
  npm('pack', name)
  const packed = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  const into = join(folder, 'node_modules', name)
  await mkdir(into, { recursive: true })
  return execFileSync('tar', ['xzf', join(folder, packed), '--strip-components=1', '-C', into])
}

/** A library as a page's build would have it. */
async function bundle(folder, at, code) {
  await writeFile(join(folder, 'page.js'), code)
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(at, 'dist'),
      emptyOutDir: false,
      copyPublicDir: false,
      lib: { entry: join(folder, 'page.js'), formats: ['es'], fileName: () => 'page.js', cssFileName: 'page' },
      minify: true,
    },
  })
}
