// The sync server beside @y/websocket-server in one run: `npm run bench -- collab`. Servers and clients are processes of their own.
// PARLEY_BENCH_SECONDS is how long each fan-out is measured.
import { fork, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

const SECONDS = Number(process.env.PARLEY_BENCH_SECONDS ?? 5)
const PEERS = join(root, 'tests/bench/peers')
const FAN_OUT = [
  [2, 1],
  [2, 2],
  [20, 1],
  [20, 20],
  [100, 1],
  [100, 100],
]
const ROOMS = 200
const EDITS = 10_000

if (!existsSync(join(PEERS, 'node_modules/@y/websocket-server'))) {
  console.info('Installing what the bench compares with…')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' })
  if (status !== 0) throw new Error('The peers could not be installed: `npm ci` failed in tests/bench/peers.')
}
const { module: bundling } = await runnerImport(join(root, 'tests/support/bundle.ts'))
const bundle = await bundling.bundleForNode('tests/bench/collab/ours.ts')
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
await chmod(folder, 0o755)
const results = {}
let large
try {
  const ours = { DATA_DIR: folder, REGISTRATION: 'open', LOG_LEVEL: 'error' }
  for (const [name, entry, env] of [
    ['ours', bundle.entry, ours],
    ['peer', join(root, 'tests/bench/collab/peer.mjs'), {}],
  ]) {
    console.info(`measuring ${name}…`)
    results[name] = await measure(name, entry, env)
  }
} finally {
  await bundle.remove()
  await rm(folder, { recursive: true, force: true })
}
const rows = Object.keys(results.ours).map((what) => ({ what, ours: results.ours[what], peer: results.peer[what] }))
console.log(
  `\n${cpus().length} cores. Fan-out: ms until the others have it, p50 / p95. Ours checks rights and stores each write.`,
)
console.table(rows)
process.exit()

async function measure(name, entry, env) {
  const [server, place] = await start(entry, env)
  const [clients] = await start(join(root, 'tests/bench/collab/clients.mjs'), {}, false)
  const out = {}
  const ms = ({ p50, p95, came }) =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)}${came < 0.999 ? ` (${Math.round(came * 100)} % came)` : ''}`
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  await clients.ask('at', place)
  for (const [at, [count, writers]] of FAN_OUT.entries()) {
    const before = await server.ask('cpu')
    const of = { count, writers, seconds: SECONDS, perSecond: 10, room: place.rooms[ROOMS + at] }
    const line = `${count} clients, ${writers === 1 ? 'one writes' : 'all write'} 10 a second`
    out[line] = ms(await clients.ask('fanOut', of))
    const { user, system } = await server.ask('cpu')
    out[`${line}: server's CPU`] = `${((user + system - before.user - before.system) / 1e6).toFixed(2)} s`
  }

  await server.ask('evicted')
  const empty = await server.ask('memory')
  out[`${ROOMS} rooms x 3 clients, one writes a second`] = ms(
    await clients.ask('rooms', { count: ROOMS, each: 3, seconds: SECONDS }),
  )
  const full = await server.ask('memory')
  out['memory a room with 3 clients'] = `${((full - empty) / ROOMS / 1e3).toFixed(0)} KB`
  await clients.ask('leaveRooms')
  await server.ask('evicted')
  out['memory of all rooms after everybody has left'] = mb((await server.ask('memory')) - empty)

  const room = place.large ?? 'large'
  if (place.large)
    large = await clients.ask('fetchLarge', { room }).then((update) => server.ask('evicted').then(() => update))
  else await clients.ask('putLarge', { room, update: large })
  const sync = await clients.ask('firstSync', { room, times: 7 })
  out[`first sync of 1,000 groups (${mb(sync.bytes)}), first / then`] =
    `${name === 'peer' ? '- (in memory)' : `${sync.first.toFixed(0)} ms`} / ${sync.others.toFixed(0)} ms`

  const edited = place.rooms[ROOMS + FAN_OUT.length]
  const before = await server.ask('stored', place.large ? edited : place.rooms[ROOMS + 5])
  await clients.ask('edits', { room: edited, edits: EDITS })
  const after = await server.ask('stored', edited)
  await server.ask('evicted')
  const folded = await server.ask('stored', edited)
  const kb = (bytes) => `${(bytes / 1e3).toFixed(0)} KB`
  out['stored after 10,000 edits, at once / folded'] =
    after.stored === null
      ? `nothing (${kb(after.document)} in memory)`
      : `${kb(after.stored - before.stored)} / ${kb(folded.stored)}`
  clients.stop()
  await server.stop()
  return out
}

/** A process that is asked by messages. */
async function start(entry, env, speaks = true) {
  const child = fork(entry, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: ['--expose-gc'],
  })
  const waiting = new Map()
  let asked = 0
  child.on('message', ({ id, answer }) => waiting.get(id)?.(answer))
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const ask = (name, of) =>
    new Promise((resolve, reject) => {
      const id = ++asked
      waiting.set(id, resolve)
      ended.then((code) => reject(new Error(`${entry} ended with ${code}`)))
      child.send({ id, ask: name, of })
    })
  const place = speaks ? await new Promise((resolve) => child.once('message', resolve)) : null
  const stop = () => {
    child.disconnect()
    return ended
  }
  return [{ ask, stop }, place]
}
