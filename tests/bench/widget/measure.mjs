// What a candidate costs a page, in Chromium at slow 3G with an empty cache.
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Slow 3G as Chromium's tools have it. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** Frames of other sites stay in the page's process, where the same throttling and the same counts apply to them. */
const TOGETHER = ['--disable-features=IsolateOrigins,site-per-process', '--disable-site-isolation-trials']

/**
 * @param said the first message; left out: it needs a server that is not there
 * @returns a row of the table
 */
export async function measure(launchBrowser, site, { name, html, files, said }) {
  const isEmpty = html === ''
  site.show({ html, files })
  const { page, context, close } = await launchBrowser({ args: TOGETHER })
  try {
    await context.unrouteAll()
    const session = await context.newCDPSession(page)
    for (const domain of ['Network', 'Performance', 'HeapProfiler']) await session.send(`${domain}.enable`)
    await session.send('Network.emulateNetworkConditions', SLOW)
    const bodies = []
    page.on('response', (response) => {
      if (response.url() === `${site.url}/` || response.url().endsWith('/lamp.svg')) return
      bodies.push(response.body().catch(() => Buffer.alloc(0)))
    })
    await page.addInitScript(watchCorner)
    await page.goto(site.url, { waitUntil: 'commit' })
    const shown = isEmpty
      ? null
      : await page.waitForFunction(() => window.cornerAt, null, { polling: 250, timeout: 60_000 })
    await page.waitForLoadState('networkidle')
    // what waits for a page that has nothing else to do comes too
    await wait(1_500)
    await page.waitForLoadState('networkidle')
    const { metrics } = await session.send('Performance.getMetrics')
    const metric = (wanted) => metrics.find((each) => each.name === wanted)?.value ?? 0
    const busy = metric('TaskDuration')
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const shift = await page.evaluate(() => window.shifted)
    const loaded = await Promise.all(bodies)
    const sum = (pack) => kilobytes(loaded.map((body) => pack(body).length))
    return {
      name,
      requests: loaded.length,
      'gzip KB': sum((body) => gzipSync(body, { level: 9 })),
      'brotli KB': sum(brotliCompressSync),
      'launcher s': shown && seconds(await shown.jsonValue()),
      'message s': isEmpty ? null : said ? await firstMessage(page, said) : 'needs its server',
      'main thread ms': Math.round(busy * 1000),
      'heap MB': Number((usedSize / 1_048_576).toFixed(2)),
      'layout shift': Number(shift.toFixed(4)),
    }
  } finally {
    await close()
  }
}

const kilobytes = (sizes) => Number((sizes.reduce((all, size) => all + size, 0) / 1024).toFixed(1))
const seconds = (ms) => Number((ms / 1000).toFixed(2))

/** From the press on the launcher until the first message can be read. */
async function firstMessage(page, said) {
  const { width, height } = page.viewportSize()
  const began = performance.now()
  await page.mouse.click(width - 45, height - 45)
  // whichever frame has it
  const isSaid = () =>
    Promise.any(page.frames().map((frame) => frame.getByText(said).first().waitFor({ timeout: 1_000 })))
  while (performance.now() - began < 60_000) {
    if (
      await isSaid().then(
        () => true,
        () => false,
      )
    )
      return seconds(performance.now() - began)
  }
  return 'never'
}

/** In the page: when something stood where launchers stand, and how far things were moved. */
function watchCorner() {
  if (window !== top) return
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const timer = setInterval(() => {
    const there = document.elementFromPoint(innerWidth - 45, innerHeight - 45)
    const isPage = !there || [document.documentElement, document.body].includes(there) || there.closest('main')
    if (isPage) return
    window.cornerAt = performance.now()
    clearInterval(timer)
  }, 20)
}
