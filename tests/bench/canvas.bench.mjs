// The builder's canvas beside plain React Flow with the same groups, in one run: `npm run bench -- canvas`.
// PARLEY_BENCH_GROUPS=200,1000 measures fewer sizes, PARLEY_BENCH_OURS=1 leaves plain React Flow out.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview, runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

const sizes = (process.env.PARLEY_BENCH_GROUPS ?? '200,1000,3000,10000').split(',').map(Number)
const kinds = process.env.PARLEY_BENCH_OURS ? ['ours'] : ['ours', 'plain']

// React without its checks: what loads TypeScript here would else make that a development build
process.env.NODE_ENV = 'production'
const outDir = await mkdtemp(join(tmpdir(), 'parley-canvas-bench-'))
const config = {
  configFile: join(root, 'vite.config.ts'),
  root: join(root, 'tests/bench/canvas'),
  mode: 'production',
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
console.log(
  '\nGestures: frames a second (median) / worst frame in ms / CPU ms of the main thread a frame; the better of two tries.',
  'Plain React Flow stops each after 8 s. open: projection + picture, ms. key, card key: ms until a letter is in the page, in the form and on the card, p50 / p95 / worst; CPU ms of the main thread with all pictures after it, p50 / p95: what else runs on the machine does not count there.',
)
console.table(rows)
process.exit()

async function measure(which, groups) {
  const browser = await browsers.launchBrowser()
  const { page, errors } = browser
  try {
    page.setDefaultTimeout(120_000)
    await page.goto(url)
    await page.waitForSelector('html[data-ready]')
    const session = await page.context().newCDPSession(page)
    // time of the thread itself: what else runs on the machine does not count
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const bench = (name, argument) => page.evaluate(([called, given]) => window.bench[called](given), [name, argument])
    const cpu = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
    }
    const gesture = async (begin, name, argument) => {
      const tries = []
      for (let n = 0; n < 2; n++) {
        await bench('look', begin)
        const before = await cpu()
        const gaps = await bench(name, argument)
        tries.push({ gaps: gaps.sort((a, b) => a - b), work: ((await cpu()) - before) / gaps.length })
      }
      const { gaps, work } = tries.sort((a, b) => a.gaps.at(-1) - b.gaps.at(-1))[0]
      return `${(1000 / gaps[gaps.length >> 1]).toFixed(0)} / ${Math.round(gaps.at(-1))} / ${work.toFixed(1)}`
    }
    // once small, so that what is measured is compiled
    await bench('prepare', 20)
    await bench('open', which)
    await bench('prepare', groups)
    const before = await cpu()
    const { projection, picture } = await bench('open', which)
    const opened = (await cpu()) - before
    const row = { open: `${Math.round(projection)} + ${Math.round(picture)}`, 'open CPU': Math.round(opened) }
    row.pan = await gesture(1, 'pan')
    const near = await bench('count')
    row['pan 50 %'] = await gesture(0.5, 'pan')
    row['zoom across'] = await gesture(1, 'zoom', 5)
    row.drag = await gesture(0.8, 'drag')
    await bench('selectMany', 200)
    row['drag 200'] = await gesture(0.8, 'drag')
    await bench('selectMany', 0)
    row['whole: pan'] = await gesture('all', 'pan')
    row['whole: zoom'] = await gesture('all', 'zoom', -2)
    // in plain React Flow a group's own ground may be less than a pixel wide then
    row['whole: drag'] = await gesture('all', 'drag').catch((error) => {
      if (which === 'ours') throw error
      return 'not possible'
    })
    await bench('look', 0.5)
    row.elements = Math.max(near, await bench('count'))
    if (which === 'ours') {
      await bench('look', 0.8)
      await bench('selectText')
      row.key = await typing(page, bench, cpu, page.locator('aside').getByRole('textbox').first())
      await bench('selectMany', 0)
      await bench('editOnCard')
      row['card key'] = await typing(page, bench, cpu, page.locator('[data-card-editor]').getByRole('textbox'))
      await bench('selectMany', 0)
      await bench('crowd', 100)
      row['100 others'] = await gesture(1, 'stay')
      row['100 others: pan'] = await gesture(1, 'pan')
    }
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    row['heap MB'] = Math.round(usedSize / 1e6)
    const unexpected = errors.filter((text) => !/favicon|ResizeObserver/.test(text))
    if (unexpected.length > 0) console.log('errors:', unexpected.slice(0, 3))
    return row
  } finally {
    await browser.close()
  }
}

/** What a letter takes in a text block, until it and all that follows from it is drawn. */
async function typing(page, bench, cpu, field) {
  // as Tab does: with the caret at the end
  await field.focus()
  await page.locator('[data-slate-editor]:focus').waitFor()
  // without the marks of no width by which Slate holds the caret
  const length = async () => (await field.textContent()).replaceAll('\uFEFF', '').length
  const before = await length()
  await bench('timeKeys')
  const keys = []
  for (const letter of 'the quick brown fox jumps over the lazy dog '.repeat(3)) {
    const began = await cpu()
    await page.keyboard.type(letter)
    await bench('rest')
    await bench('rest')
    keys.push((await cpu()) - began)
  }
  if ((await length()) !== before + keys.length) throw new Error('The letters were not typed')
  keys.sort((a, b) => a - b)
  const handled = (await bench('keyTimes')).sort((a, b) => a - b)
  const at = (times, share) => times[Math.ceil(times.length * share) - 1]
  return [at(handled, 0.5), at(handled, 0.95), handled.at(-1), at(keys, 0.5), at(keys, 0.95)]
    .map((ms) => ms.toFixed(1))
    .join(' / ')
}
