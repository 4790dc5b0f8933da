// What an embedded chat costs a page, ours beside others on the same page: `npm run bench -- widget`. And how many idle ones one process holds.
// The others are fetched by `npm pack` into a temporary folder; where there is no registry they are left out by name.
// PARLEY_BENCH_TRIES=3 is how often each is measured, PARLEY_BENCH_IDLE=10000 how many stay connected.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from '../../server/cli/sources.mjs'
import { joinAs, load, startApp } from './builtApp.mjs'

const TRIES = Number(process.env.PARLEY_BENCH_TRIES ?? 3)
const IDLE = Number(process.env.PARLEY_BENCH_IDLE ?? 10_000)
/** Slow 3G as Chromium's tools have it. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const { launchBrowser } = await load(join(root, 'tests/support/browser.ts'))
const { makeFolder } = await load(join(root, 'tests/support/app.ts'))

const temporary = await mkdtemp(join(tmpdir(), 'parley-bench-widget-'))
const folder = await makeFolder()
const app = await startApp(folder)
const site = await serveSite()
try {
  const { egid, client, params } = await makeChatbot()
  const ours = { name: 'Parley', html: `<script async src="${app.url}/embed.js?chatbot=${egid}"></script>` }
  const candidates = [{ name: 'the page alone', html: '' }, ours, ...(await fetchOthers())]
  const rows = []
  for (const candidate of candidates) {
    const tries = []
    for (let n = 0; n < TRIES; n++) tries.push(await measure(candidate))
    rows.push(tries.sort((a, b) => (a['launcher s'] ?? 0) - (b['launcher s'] ?? 0))[Math.floor(TRIES / 2)])
  }
  console.log('\nBefore the first opening, slow 3G, an empty cache; the middle of', TRIES)
  console.table(rows)
  await holdIdle(client, params, egid)
} finally {
  await app.stop()
  site.server.close()
  await Promise.all([temporary, folder].map((path) => rm(path, { recursive: true, force: true })))
}
process.exit()

async function makeChatbot() {
  const client = await joinAs(app.url, app.ownerLink)
  const { projects } = (await client.send('GET', '/api/projects')).body.data
  const pgid = projects[0].gid
  const { chatbot } = (await client.send('POST', `/api/projects/${pgid}/chatbots`, { name: 'Lamps' })).body.data
  const base = `/api/projects/${pgid}/chatbots/${chatbot.gid}`
  await client.send('POST', `${base}/flows/${chatbot.fid}/publish`, {})
  return { client, egid: chatbot.egid, params: base }
}

/** The others as their documentation embeds them, calling a server that answers nothing: no peer's backend is here. */
async function fetchOthers() {
  const others = [
    [
      '@typebot.io/js',
      (at) => `import T from '${at('dist/web.js')}'; T.initBubble({ typebot: 'x', apiHost: '${site.url}/nothing' })`,
    ],
    [
      'flowise-embed',
      (at) => `import C from '${at('dist/web.js')}'; C.init({ chatflowid: 'x', apiHost: '${site.url}/nothing' })`,
    ],
    [
      '@n8n/chat',
      (at) =>
        `import { createChat } from '${at('dist/chat.bundle.es.js')}'; createChat({ webhookUrl: '${site.url}/nothing' })`,
    ],
    ['@botpress/webchat', (at, entry) => `import '${at(entry)}'`],
  ]
  const found = []
  for (const [name, script] of others) {
    const into = join(temporary, name.replace(/\W/g, '-'))
    try {
      await mkdir(into)
      const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', name], {
        cwd: into,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      execFileSync('tar', ['xzf', JSON.parse(packed)[0].filename], { cwd: into })
      const { version, module, main, browser } = JSON.parse(readFileSync(join(into, 'package/package.json'), 'utf8'))
      const at = (path) => `${site.url}/${name.replace(/\W/g, '-')}/package/${normalize(path)}`
      const entry = [module, browser, main].find((path) => typeof path === 'string') ?? 'dist/index.js'
      found.push({ name: `${name} ${version}`, html: `<script type="module">${script(at, entry)}</script>` })
    } catch {
      console.log(`${name} could not be fetched: left out`)
    }
  }
  return found
}

/** The page with a candidate in it: what was loaded until nothing more comes, and when something stood in the corner. */
async function measure({ name, html }) {
  site.html = html
  const { page, context, close } = await launchBrowser()
  try {
    await context.unrouteAll()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Performance.enable')
    await session.send('Network.emulateNetworkConditions', SLOW)
    const bodies = []
    page.on('response', (response) => {
      if (response.url() === `${site.url}/`) return
      bodies.push(response.body().catch(() => Buffer.alloc(0)))
    })
    await page.goto(site.url, { waitUntil: 'commit' })
    const shown = await page
      .waitForFunction(
        () => {
          const there = document.elementFromPoint(innerWidth - 45, innerHeight - 45)
          return there && there !== document.body && there !== document.documentElement ? performance.now() : null
        },
        null,
        { timeout: name === 'the page alone' ? 500 : 60_000 },
      )
      .then((handle) => handle.jsonValue())
      .catch(() => null)
    await page.waitForLoadState('networkidle')
    const { metrics } = await session.send('Performance.getMetrics')
    const metric = (wanted) => metrics.find((each) => each.name === wanted)?.value ?? 0
    const shift = await page.evaluate(
      () =>
        new Promise((done) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.value
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => done(sum), 200)
        }),
    )
    const loaded = await Promise.all(bodies)
    const sum = (pack) => Number((loaded.reduce((all, body) => all + pack(body).length, 0) / 1024).toFixed(1))
    return {
      name,
      requests: loaded.length,
      'gzip KB': sum((body) => gzipSync(body, { level: 9 })),
      'brotli KB': sum(brotliCompressSync),
      'launcher s': shown === null ? null : Number((shown / 1000).toFixed(2)),
      'main thread ms': Math.round(metric('TaskDuration') * 1000),
      'heap MB': Number((metric('JSHeapUsedSize') / 1_048_576).toFixed(1)),
      'layout shift': Number(shift.toFixed(4)),
    }
  } finally {
    await close()
  }
}

/** A page of a shop, and the packages of others. */
async function serveSite() {
  const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json' }
  const made = { html: '', url: '', server: null }
  made.server = http.createServer((request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]))
    response.setHeader('access-control-allow-origin', '*')
    if (path === '/') {
      response.setHeader('content-type', 'text/html')
      return response.end(
        `<!doctype html><title>Lamps</title><h1>Harbour Lamps</h1><p>Lamps for boats.</p>${made.html}`,
      )
    }
    try {
      const body = readFileSync(join(temporary, path))
      response.writeHead(200, {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
      })
      response.end(gzipSync(body))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((done) => made.server.listen(0, '127.0.0.1', done))
  made.url = `http://localhost:${made.server.address().port}`
  return made
}

/** Idle chats, each with a stream of its own, and a publish that all of them hear. */
async function holdIdle(client, base, egid) {
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))[1]) / 1024
  const before = memory()
  const { hostname, port } = new URL(app.url)
  // as many addresses as it takes: each may have five hundred streams
  const from = (n) => ({ hostname, port, localAddress: `127.0.${1 + Math.floor(n / 20_000)}.${1 + (n % 100)}` })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 20 })
  let heard = 0
  const streams = []
  const open = async (n) => {
    const begun = await post(
      { ...from(n), agent, path: `/api/chat/@${egid}/conversations` },
      { client_id: `idle-${String(n).padStart(8, '0')}` },
    )
    const { token, conversation } = begun.data
    await new Promise((done, fail) => {
      const path = `/api/chat/@${egid}/conversations/${conversation.id}/events?token=${token}`
      const request = http.get({ ...from(n), agent: false, path }, (response) => {
        if (response.statusCode !== 200) return fail(new Error(`A stream was answered ${response.statusCode}`))
        response.setEncoding('utf8').on('data', (text) => {
          if (text.includes('event: published')) heard++
        })
        done()
      })
      request.on('error', fail)
      streams.push(request)
    })
  }
  for (let n = 0; n < IDLE; n += 20)
    await Promise.all(Array.from({ length: Math.min(20, IDLE - n) }, (_, at) => open(n + at)))
  const held = memory()
  await client.send('POST', `${base}/web/look`, {
    look: (await client.send('GET', `${base}/web/look`)).body.data.draft,
    revision: 0,
  })
  const began = performance.now()
  await client.send('POST', `${base}/web/look/publish`, { revision: 1 })
  while (heard < IDLE && performance.now() - began < 60_000) await new Promise((done) => setTimeout(done, 20))
  console.log(
    `\n${IDLE} idle chats: ${before.toFixed(0)} MB before, ${held.toFixed(0)} MB with them, ${memory().toFixed(0)} MB after a publish`,
  )
  console.log(`a publish reached ${heard} of them in ${Math.round(performance.now() - began)} ms`)
  for (const stream of streams) stream.destroy()
}

function post(options, body) {
  return new Promise((done, fail) => {
    const request = http.request(
      { ...options, method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('end', () => (response.statusCode === 200 ? done(JSON.parse(text)) : fail(new Error(text))))
      },
    )
    request.on('error', fail)
    request.end(JSON.stringify(body))
  })
}
