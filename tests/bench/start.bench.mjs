// From a fresh clone to the first page: `npm start` without node_modules, again with them, and again with everything built.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../server/cli/sources.mjs'

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

try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  console.log(`fresh clone, no node_modules: ${await startToFirstPage()} s`)
  rmSync(join(clone, 'build'), { recursive: true })
  rmSync(join(clone, 'data'), { recursive: true })
  console.log(`node_modules there, not built: ${await startToFirstPage()} s`)
  console.log(`everything there: ${await startToFirstPage()} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
