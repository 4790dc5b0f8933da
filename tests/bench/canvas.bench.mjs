// The builder's canvas beside plain React Flow with the same groups, in one run: `npm run bench -- canvas`.
// PARLEY_BENCH_GROUPS=200,1000 measures fewer sizes, PARLEY_BENCH_OURS=1 leaves plain React Flow out.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview, runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

const sizes = (process.env.PARLEY_BENCH_GROUPS ?? '200,1000,3000,10000').split(',').map(Number)
const kinds = process.env.PARLEY_BENCH_OURS ? ['ours'] : ['ours', 'plain']

const outDir = await mkdtemp(join(tmpdir(), 'parley-canvas-bench-'))
const config = {
  configFile: join(root, 'vite.config.ts'),
  root: join(root, 'tests/bench/canvas'),
  logLevel: 'error',
  build: { outDir, rollupOptions: { input: join(root, 'tests/bench/canvas/index.html') } },
}
const { module: browsers } = await runnerImport(join(root, 'tests/support/browser.ts'))
await build(config)
const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1', open: false } })
const url = server.resolvedUrls.local[0]
const rows = []
try {
  for (const groups of sizes)
    for (const which of kinds) {
      const row = await measure(which, groups)
      rows.push({ groups, which, ...row })
      console.log(JSON.stringify(rows.at(-1)))
    }
} finally {
  server.httpServer.close()
  await rm(outDir, { recursive: true, force: true })
}
console.log('\nfps: median / worst frame in ms / main-thread ms a frame; plain React Flow stops each gesture after 8 s')
console.table(rows)
process.exit()

async function measure(which, groups) {
  const browser = await browsers.launchBrowser()
  const { page, errors } = browser
  try {
    page.setDefaultTimeout(180_000)
    await page.goto(url)
    await page.waitForSelector('html[data-ready]')
    const bench = (name, argument) => page.evaluate(([called, given]) => window.bench[called](given), [name, argument])
    // once small, so that what is measured is compiled
    await page.evaluate((kind) => window.bench.open(kind, 20), which)
    const mount = await page.evaluate(([kind, count]) => window.bench.open(kind, count), [which, groups])
    const row = { mount: Math.round(mount) }
    row.elements = await bench('count')
    await bench('look', 1)
    row.pan = figures(await bench('pan'))
    await bench('look', 0.5)
    row['pan 50 %'] = figures(await bench('pan'))
    row.elements = Math.max(row.elements, await bench('count'))
    await bench('look', 1)
    row['zoom across'] = figures(await bench('zoom', 5))
    await bench('look', 0.8)
    row.drag = figures(await bench('drag'))
    await bench('selectMany', 200)
    row['drag 200'] = figures(await bench('drag'))
    await bench('selectMany', 0)
    await bench('look', 'all')
    row['whole: pan'] = figures(await bench('pan'))
    await bench('look', 'all')
    row['whole: zoom'] = figures(await bench('zoom', -2))
    await bench('look', 'all')
    row['whole: drag'] = figures(await bench('drag'))
    row.elements = Math.max(row.elements, await bench('count'))
    if (which === 'ours') row['key ms'] = await typing(page, bench)
    row['heap MB'] = await heap(page)
    const unexpected = errors.filter((text) => !/favicon|ResizeObserver/.test(text))
    if (unexpected.length > 0) console.log('errors:', unexpected.slice(0, 3))
    return row
  } finally {
    await browser.close()
  }
}

/** Median and worst milliseconds of the main thread that a key takes, in the real form of a text block. */
async function typing(page, bench) {
  await bench('look', 0.8)
  await bench('selectText')
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.click()
  await page.locator('[data-slate-editor]:focus').waitFor()
  await page.evaluate(() => {
    window.keys = []
    // the letter itself comes in a task of its own after the key
    const measure = () => {
      const from = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.keys.push(performance.now() - from)
      port2.postMessage(null)
    }
    window.addEventListener('beforeinput', measure, true)
  })
  for (const letter of 'the quick brown fox jumps over the lazy dog') {
    await page.keyboard.type(letter)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  const keys = (await page.evaluate(() => window.keys)).sort((a, b) => a - b)
  return `${keys[keys.length >> 1].toFixed(1)} / ${keys.at(-1).toFixed(1)}`
}

async function heap(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return Math.round(usedSize / 1e6)
}

function figures({ gaps, work }) {
  const sorted = [...gaps].sort((a, b) => a - b)
  const worked = [...work].sort((a, b) => a - b)
  const fps = 1000 / sorted[sorted.length >> 1]
  return `${fps.toFixed(0)} / ${Math.round(sorted.at(-1))} / ${worked[worked.length >> 1].toFixed(1)}`
}
