// From a fresh clone to the first page: `npm start` without node_modules, again with them, and again with everything built.
// Then the folder that `npm run build` makes: its size, and from its start to the first answer of /readyz, five times.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../server/cli/sources.mjs'
import { freePort } from '../../server/cli/supervise.mjs'

const folder = mkdtempSync(join(tmpdir(), 'parley-clone-'))
chmodSync(folder, 0o755)
const clone = join(folder, 'parley')

/** Runs `npm start` until it prints its address and that answers; @returns seconds */
async function startToFirstPage() {
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: clone,
    detached: true,
    env: { ...process.env, PORT: '0', npm_execpath: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let answered = false
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk
    const url = /Parley runs at (\S+)\n/.exec(text)?.[1]
    if (!url) continue
    const page = await fetch(url)
    if (!page.ok) throw new Error(`The first page answers ${page.status}`)
    await page.text()
    answered = true
    break
  }
  const seconds = (performance.now() - began) / 1000
  if (!answered) throw new Error(`It ended without an address: ${text}`)
  process.kill(-child.pid, 'SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return seconds.toFixed(1)
}

function sizeOf(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  const bytes = entries.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
  return (bytes / 1_000_000).toFixed(0)
}

/** Starts what is built on a database that is there already; @returns ms until it is ready */
async function startToReady(program, data) {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: '/',
    env: { DATA_DIR: data, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('It ended before it was ready')
    await new Promise((done) => setTimeout(done, 5))
  }
  const ms = performance.now() - began
  child.kill('SIGTERM')
  await once(child, 'exit')
  return Math.round(ms)
}

try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  console.log(`fresh clone, no node_modules: ${await startToFirstPage()} s`)
  rmSync(join(clone, 'build'), { recursive: true })
  rmSync(join(clone, 'data'), { recursive: true })
  console.log(`node_modules there, not built: ${await startToFirstPage()} s`)
  console.log(`everything there: ${await startToFirstPage()} s`)
  const built = join(clone, 'build/parley')
  console.log(`build/parley: ${sizeOf(built)} MB, ${sizeOf(join(built, 'node_modules'))} of them packages`)
  const times = []
  for (let run = 0; run < 5; run++) times.push(await startToReady(join(built, 'parley.mjs'), join(clone, 'data')))
  console.log(`its start on that database, until /readyz: ${times.join(', ')} ms`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
