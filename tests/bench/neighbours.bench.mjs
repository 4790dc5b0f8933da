// One project's visitors while another project's flow, source, model, tool server, visitor or import does the worst it may:
// `npm run bench -- neighbours`. The built app, whoever does the worst, and whoever measures are processes of their own.
// PARLEY_BENCH_SECONDS is how long each is measured (a third of it each quiet time right before and after), PARLEY_BENCH_CASES which (with
// semicolons); cases are what tests/bench/neighbours holds.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agent, fetch } from 'undici'
import { root } from '../../server/cli/sources.mjs'
import { joinAs, load, startApp } from './builtApp.mjs'

const SECONDS = Number(process.env.PARLEY_BENCH_SECONDS ?? 7)
const ONLY = process.env.PARLEY_BENCH_CASES?.split(';')
/** A visitor comes, and writes once. */
const EVERY_MS = 100
/** How long a case has for what it began. */
const STOP_MS = 3_000
/** Longer than that an answer is not waited for. */
const PATIENCE = 15_000
/** ms that a case has to get ready. */
const START_MS = 60_000
const FOLDER = join(root, 'tests/bench/neighbours')
const casesOf = (module) =>
  Object.values(module).filter((value) => typeof value?.name === 'string' && typeof value.start === 'function')

if (process.argv[2] === 'case') await runCase(process.argv[3], process.argv[4], process.argv[5])
else await measureAll()

/** The other project: a process that has somebody register there, starts the case, and stops it when it is told to. */
async function runCase(file, name, baseUrl) {
  const client = await joinAs(baseUrl)
  const one = casesOf(await load(join(FOLDER, file))).find((each) => each.name === name)
  const { stop } = await one.start({ baseUrl, client, answers: await serveAnswers() })
  process.send('started')
  await new Promise((resolve) => process.once('message', resolve))
  await Promise.race([stop(), pause(STOP_MS)])
  process.exit()
}

async function measureAll() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'))
  const cases = []
  for (const file of files) {
    for (const { name } of casesOf(await load(join(FOLDER, file))))
      if (!ONLY || ONLY.includes(name)) cases.push({ file, name })
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await chmod(folder, 0o755)
  const app = await startApp(folder)
  try {
    const owner = await joinAs(app.url, app.ownerLink)
    const slug = await publishQuiet(owner)
    await visit(app.url, slug, 3)
    const rows = []
    let before = await measured(app, slug, SECONDS / 3)
    for (const { file, name } of cases) {
      console.info(`measuring ${name}…`)
      const child = fork(fileURLToPath(import.meta.url), ['case', file, name, app.url], { cwd: root })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const started = await Promise.race([
        new Promise((resolve) => child.once('message', () => resolve(true))),
        ended.then(() => false),
        pause(START_MS).then(() => false),
      ])
      const during = started ? await measured(app, slug, SECONDS) : null
      if (child.connected) child.send('stop')
      await Promise.race([ended, pause(2 * STOP_MS)])
      child.kill('SIGKILL')
      await pause(1_000)
      const after = await measured(app, slug, SECONDS / 3)
      rows.push(during ? rowOf(name, during, before, after) : { neighbour: name, 'p50 ms': 'did not start' })
      console.info(JSON.stringify(rows.at(-1)))
      before = after
    }
    console.log(
      `\n${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${SECONDS} s each. Calls of one project's visitors, while another project does the worst it may.`,
    )
    console.table(rows)
  } finally {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.exit()
}

/** Visitors come at a steady rate, whatever becomes of those before them. */
async function measured(app, slug, seconds) {
  await app.longestGap()
  const result = await visit(app.url, slug, seconds)
  return { ...result, ...(await app.longestGap()) }
}

async function visit(url, slug, seconds) {
  const times = []
  let failed = 0
  const call = async (dispatcher, path, body, token) => {
    const began = performance.now()
    const answer = await fetch(`${url}/api/chat/${slug}/conversations${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ client_id: randomUUID(), ...body }),
      signal: AbortSignal.timeout(PATIENCE),
      dispatcher,
    }).catch(() => null)
    const envelope = await answer?.json().catch(() => null)
    times.push(performance.now() - began)
    if (!envelope?.success) failed += 1
    return envelope?.success ? envelope.data : null
  }
  /** each comes with a connection of his own */
  const one = async () => {
    const agent = new Agent()
    const started = await call(agent, '', {})
    const reply = { type: 'text', text: 'Hello' }
    if (started) await call(agent, `/${started.conversation.id}/messages`, { reply }, started.token)
    await agent.close()
  }
  const visits = []
  for (let n = 0; n < (seconds * 1_000) / EVERY_MS; n++) {
    visits.push(one())
    await pause(EVERY_MS)
  }
  await Promise.all(visits)
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { p50: at(0.5), p99: at(0.99), failed, calls: times.length }
}

/** The quiet times right before and after tell how busy the machine is otherwise. */
function rowOf(neighbour, { p50, p99, gap, held, failed, calls }, before, after) {
  const more = p99 - (before.p99 + after.p99) / 2
  return {
    neighbour,
    'p50 ms': Math.round(p50),
    'p99 ms': Math.round(p99),
    'quiet p99, before and after': `${Math.round(before.p99)}, ${Math.round(after.p99)}`,
    'p99 beside quiet': `${more >= 0 ? '+' : ''}${Math.round(more)}`,
    'longest gap, ms': Math.round(gap),
    'of it own CPU': Math.round(held),
    'quiet gap': `${Math.round(before.gap)}, ${Math.round(after.gap)}`,
    'quiet CPU': `${Math.round(before.held)}, ${Math.round(after.held)}`,
    failed: `${failed} of ${calls}`,
  }
}

/** What flows may call: long lists of texts. */
async function serveAnswers() {
  const answer = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => `${'ab'.repeat(10)}${n}`))
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(answer))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${server.address().port}/`
}

async function publishQuiet(client) {
  const { publishSimple } = await load(join(root, 'tests/bench/neighbours/callers.ts'))
  return publishSimple(client)
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
