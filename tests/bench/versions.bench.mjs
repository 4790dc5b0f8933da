// How long the event loop stands still while a version, or a draft, of many groups is worked on as a whole: `npm run bench -- versions`.
// PARLEY_BENCH_GROUPS are the sizes, with commas.
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../server/cli/sources.mjs'
import { joinAs, load, startApp } from './builtApp.mjs'

const SIZES = (process.env.PARLEY_BENCH_GROUPS ?? '10,1000,3000,9000').split(',').map(Number)
const PROJECTS = '/api/projects'

const { largeFlow } = await load(join(root, 'tests/support/largeFlow.ts'))
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
await chmod(folder, 0o755)
const app = await startApp(folder)
try {
  const client = await joinAs(app.url, app.ownerLink)
  const rows = {}
  for (const size of SIZES) {
    for await (const [what, took, { gap, held }] of measured(client, size)) {
      rows[what] ??= {}
      rows[what][`${size} groups: gap`] = Math.round(gap)
      rows[what][`${size}: own CPU`] = Math.round(held)
      rows[what][`${size}: took`] = Math.round(took)
    }
  }
  console.log(`\n${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; ms`)
  console.table(rows)
} finally {
  await app.stop()
  await rm(folder, { recursive: true, force: true })
}

async function* measured(client, size) {
  const call = async (method, path, body) => {
    const answer = await client.send(method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text.slice(0, 500)}`)
    return answer.body.data
  }
  /** What this process makes of an answer is not looked at: the app goes on meanwhile. */
  const timed = async (what, run) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await app.longestGap()
    const began = performance.now()
    await run()
    const took = performance.now() - began
    return [what, took, await app.longestGap()]
  }
  const { project } = await call('POST', PROJECTS, { name: `${size} groups` })
  const inProject = `${PROJECTS}/${project.gid}`
  const flow = largeFlow(size)
  const { chatbot } = await call('POST', `${inProject}/chatbots`, { name: 'Large', source: JSON.stringify(flow) })
  const path = `${inProject}/chatbots/${chatbot.gid}`
  const { version } = await call('POST', `${path}/flows/${chatbot.fid}/publish`, {})
  flow.groups[0].title = 'Another title'
  await call('POST', `${path}/flows/${chatbot.fid}/import`, { source: JSON.stringify(flow), mode: 'replace' })
  const visit = async () => {
    const answer = await fetch(`${app.url}/api/chat/${chatbot.slug}/conversations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: randomUUID() }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  yield timed('first visitor', visit)
  yield timed('next visitor', visit)
  yield timed('compare: a version', () => call('GET', `${path}/versions/${version.number}`))
  yield timed('compare: the draft', () => call('GET', `${path}/versions/draft`))
  let kept
  yield timed('restore', async () => {
    kept = (await call('POST', `${path}/versions/${version.number}/restore`, {})).kept
  })
  yield timed('publish what was kept', () => call('POST', `${path}/versions/${kept.number}/publish`, {}))
  yield timed('rename it', () => call('PATCH', `${path}/versions/${kept.number}`, { name: 'Renamed' }))
  yield timed('restore the open flow', () =>
    call('POST', `${path}/versions/${kept.number}/restore`, { open: chatbot.fid }),
  )
  yield timed('start a test', () =>
    call('POST', `${path}/flows/${chatbot.fid}/playground`, { client_id: randomUUID() }),
  )
  yield timed('run kept tests', () => call('POST', `${path}/tests/run`, {}))
  yield timed('copy the project', () => call('POST', `${inProject}/duplicate`, {}))
  yield timed('uses of secrets', () => call('GET', `${inProject}/secrets/uses`))
  const { secret } = await call('POST', `${inProject}/api-keys`, { name: 'Bench' })
  yield timed('read by MCP', async () => {
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'read_flow', arguments: { chatbot: chatbot.gid } },
      }),
    })
    const { result } = await answer.json()
    if (!result || result.isError) throw new Error(JSON.stringify(result).slice(0, 500))
  })
}
