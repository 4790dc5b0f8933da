// Looking for the pages of a local site, beside crawlee and the loop that one would write first: `npm run bench -- crawl`. Each is a
// process of its own, and the site is a third one's.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

const PEERS = join(root, 'tests/bench/peers')
const PAGES = [500, 5_000]

if (!existsSync(join(PEERS, 'node_modules/@crawlee/cheerio'))) {
  console.info('Installing what the bench compares with…')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' })
  if (status !== 0) throw new Error('The peers could not be installed: `npm ci` failed in tests/bench/peers.')
}
const load = async (file) => (await runnerImport(join(root, file))).module
const { bundleForNode } = await load('tests/support/bundle.ts')
const { startGuides } = await load('tests/bench/crawl/site.ts')
const bundle = await bundleForNode('tests/bench/crawl/ours.ts')
const worker = await bundleForNode('server/taskThread.ts')
await rename(worker.entry, join(dirname(bundle.entry), 'taskThread.js'))
const rows = []
try {
  for (const pages of PAGES)
    for (const [name, entry] of [
      ['ours', bundle.entry],
      ['crawlee', join(root, 'tests/bench/crawl/crawlee.mjs')],
      ['a loop', join(root, 'tests/bench/crawl/naive.mjs')],
    ]) {
      console.info(`${name}, ${pages} pages…`)
      rows.push({ pages, crawler: name, ...(await measured(entry, pages)) })
    }
} finally {
  await bundle.remove()
  await worker.remove()
}
console.log(`\n${cpus().length} cores. Ours reads robots.txt, checks each address and writes each page to PostgreSQL.`)
console.table(rows)

const { contentPages, f1 } = await load('tests/support/contentPages.ts')
const { readHtml } = await load('server/modules/knowledge/page/readHtml.ts')
const { wholeBody, article } = await load('tests/bench/crawl/contents.ts')
const { plainText } = await load('server/modules/knowledge/chunks/chunkMarkdown.ts')
const contents = contentPages.map(({ kind, html, gold, url = 'https://harbour.example/help/lamps' }) => ({
  kind,
  ours: f1(plainText(readHtml(html, url).markdown), gold),
  Readability: f1(article(html), gold),
  'whole body': f1(wholeBody(html), gold),
}))
const mean = (name) => contents.reduce((sum, row) => sum + row[name], 0) / contents.length
contents.push({
  kind: 'mean',
  ...Object.fromEntries(['ours', 'Readability', 'whole body'].map((name) => [name, mean(name)])),
})
console.log('\nThe main content of pages of ours, as F1 of words')
console.table(
  contents.map(({ kind, ...scores }) => ({
    kind,
    ...Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, score.toFixed(3)])),
  })),
)

/** One crawl in a process of its own. */
async function measured(entry, pages) {
  const site = await startGuides(pages)
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await chmod(folder, 0o755)
  const env = { NODE_ENV: 'production', DATA_DIR: folder, REGISTRATION: 'open', LOG_LEVEL: 'error' }
  const child = fork(entry, [site.url, String(pages)], {
    cwd: root,
    env: { ...process.env, ...env, OUTBOUND_ALLOW: '127.0.0.1' },
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${entry} ended with ${code}`)
  })
  try {
    const [{ found, seconds, cpu, idle, peak, p99, longest }] = await Promise.race([once(child, 'message'), ended])
    if (child.exitCode === null) await once(child, 'exit')
    const mb = (bytes) => Math.round(bytes / 1e6)
    return {
      found,
      seconds: seconds.toFixed(1),
      'pages a second': Math.round(found / seconds),
      'CPU ms a page': cpu.toFixed(1),
      'idle / most MB': `${mb(idle)} / ${mb(peak)}`,
      'wait p99 / most ms': `${Math.round(p99)} / ${Math.round(longest)}`,
    }
  } finally {
    ended.catch(() => undefined)
    site.close()
    await rm(folder, { recursive: true, force: true })
  }
}
