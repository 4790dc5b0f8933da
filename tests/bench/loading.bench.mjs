// How long the builder takes to come over a slow line, until a block can be edited: `npm run bench -- loading`.
// PARLEY_BENCH_KB_A_SECOND=200 sets the line, PARLEY_BENCH_TRIES=3 how often each is measured.
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

const rate = Number(process.env.PARLEY_BENCH_KB_A_SECOND ?? 200)
const tries = Number(process.env.PARLEY_BENCH_TRIES ?? 3)
const load = async (path) => (await runnerImport(join(root, path))).module
const [{ startBuiltApp }, { launchBrowser }, steps] = await Promise.all(
  ['tests/support/app.ts', 'tests/support/browser.ts', 'tests/e2e/steps.ts'].map(load),
)

const app = await startBuiltApp()
try {
  const { url, state } = await makeChatbot()
  const rows = []
  for (const visit of ['first', 'again'])
    for (let n = 0; n < tries; n++) rows.push({ visit, ...(await measure(url, state, visit)) })
  console.log(`\nThe builder over ${rate} KB/s with 40 ms of latency; seconds.`)
  console.table(rows)
} finally {
  await app.stop()
}
process.exit()

/** A chatbot with a flow of real kinds; what is needed to come back to it as its owner. */
async function makeChatbot() {
  const { page, context, close } = await launchBrowser()
  await steps.registerOwner(page, app)
  await steps.createFromFile(page, steps.typebotFile('lead-scoring'), 'Lead scoring')
  await steps.openBuilder(page)
  const made = { url: page.url(), state: await context.cookies() }
  await close()
  return made
}

/** @param visit with an empty cache, or with what an earlier visit left there */
async function measure(url, cookies, visit) {
  const { page, context, close } = await launchBrowser()
  try {
    await context.addCookies(cookies)
    // what answers for pictures from elsewhere keeps Chromium from its cache
    await context.unrouteAll()
    if (visit === 'again') {
      await page.goto(url)
      await editable(page)
      await page.goto('about:blank')
    }
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 40,
      downloadThroughput: rate * 1024,
      uploadThroughput: rate * 1024,
    })
    const requests = new Map()
    let bytes = 0
    session.on('Network.requestWillBeSent', ({ requestId, request }) => requests.set(requestId, request.url))
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    const began = performance.now()
    const since = () => Number(((performance.now() - began) / 1000).toFixed(2))
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('.react-flow__node').first().waitFor()
    const drawn = since()
    await editable(page)
    const edited = since()
    if (process.env.PARLEY_BENCH_LIST) console.log([...requests.values()].join('\n'))
    return { drawn, edited, requests: requests.size, KB: Math.round(bytes / 1024) }
  } finally {
    await close()
  }
}

/** The first text block takes a letter. */
async function editable(page) {
  const card = page.getByLabel('Text block', { exact: true }).first()
  await card.click()
  const field = page.getByRole('complementary', { name: 'Settings' }).getByRole('textbox', { name: 'Message' })
  await field.focus()
  await field.and(page.locator('[data-slate-editor]:focus')).waitFor()
}
