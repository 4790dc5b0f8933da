// What an embedded chat costs a page, ours beside others on the same page: `npm run bench -- widget`. And how many idle ones one process holds.
// The others and Lighthouse are installed into a temporary folder; where there is no registry they are left out by name.
// PARLEY_BENCH_TRIES=3 is how often each is measured, PARLEY_BENCH_IDLE=10000 how many stay connected (0: none).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../server/cli/sources.mjs'
import { joinAs, load, startApp } from './builtApp.mjs'
import { holdIdle } from './widget/idle.mjs'
import { installLighthouse } from './widget/lighthouse.mjs'
import { measure } from './widget/measure.mjs'
import { fetchOthers } from './widget/others.mjs'
import { serveSite } from './widget/site.mjs'

const TRIES = Number(process.env.PARLEY_BENCH_TRIES ?? 3)
const IDLE = Number(process.env.PARLEY_BENCH_IDLE ?? 10_000)
const { launchBrowser } = await load(join(root, 'tests/support/browser.ts'))
const { makeFolder } = await load(join(root, 'tests/support/app.ts'))

const temporary = await mkdtemp(join(tmpdir(), 'parley-bench-widget-'))
const folder = await makeFolder()
const app = await startApp(folder)
const site = await serveSite()
try {
  const client = await joinAs(app.url, app.ownerLink)
  const chatbot = await makeChatbot(client)
  const line = `<script async src="${app.url}/embed.js?chatbot=${chatbot.egid}"></script>`
  const candidates = [
    { name: 'the page alone', html: '' },
    { name: 'Parley', html: line, said: chatbot.said },
    ...(await fetchOthers(temporary)),
  ]
  const score = await installLighthouse(temporary)
  const rows = []
  for (const candidate of candidates) {
    const tries = []
    for (let n = 0; n < TRIES; n++) tries.push(await measure(launchBrowser, site, candidate))
    const row = middle(tries, (tried) => tried['launcher s'] ?? tried['main thread ms'])
    const scores = []
    if (score) for (let n = 0; n < TRIES; n++) scores.push(await score(site.url))
    rows.push(score ? { ...row, lighthouse: middle(scores, Number) } : row)
    console.log(`${candidate.name} measured`)
  }
  console.log('\nOn a page at slow 3G with an empty cache, before the first opening; of', TRIES, 'tries the middle one')
  console.log('"message s": from the press on the launcher until the first message can be read')
  console.table(rows)
  if (IDLE > 0) await holdIdle(app, client, chatbot, IDLE)
} finally {
  await app.stop()
  site.close()
  await Promise.all([temporary, folder].map((path) => rm(path, { recursive: true, force: true })))
}
process.exit()

function middle(values, by) {
  return [...values].sort((a, b) => by(a) - by(b))[Math.floor(values.length / 2)]
}

/** A published chatbot that says the same to everybody; `said` is what visitors read first. */
async function makeChatbot(client) {
  const { projects } = (await client.send('GET', '/api/projects')).body.data
  const pgid = projects[0].gid
  const wanted = { name: 'Lamps', template: 'restaurant' }
  const { chatbot } = (await client.send('POST', `/api/projects/${pgid}/chatbots`, wanted)).body.data
  const base = `/api/projects/${pgid}/chatbots/${chatbot.gid}`
  await client.send('POST', `${base}/flows/${chatbot.fid}/publish`, {})
  const path = `/api/chat/@${chatbot.egid}/conversations`
  const begun = (await client.send('POST', path, { client_id: 'what-it-says' })).body.data
  const [said] = JSON.stringify(begun.conversation.messages[0].content).match(/(?<="text":")[^"]+/)
  return { base, egid: chatbot.egid, fid: chatbot.fid, said: said.trim() }
}
