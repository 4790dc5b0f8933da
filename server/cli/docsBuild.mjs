// Builds the documentation (src/docs) into build/parley/docs, which the server serves at /docs.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dist, docsHash, docsStamp, root } from './sources.mjs'

const folder = join(dist, 'docs')

/** Whether the documentation is built, from what its sources are now. */
export const docsAreCurrent = () => existsSync(docsStamp) && readFileSync(docsStamp, 'utf8') === docsHash()

/**
 * Builds the documentation, unless it is current. Pages that are served stay until the new ones are complete.
 * Throws if VitePress fails, a link that leads nowhere included.
 */
export async function buildDocs() {
  if (docsAreCurrent()) return
  const hash = docsHash()
  const made = join(root, `build/making-docs-${process.pid}`)
  await mkdir(dist, { recursive: true })
  try {
    await runVitepress(made)
    await rm(docsStamp, { force: true })
    await rm(folder, { recursive: true, force: true })
    await rename(made, folder)
    await writeFile(docsStamp, hash)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/** A process of its own: it brings a Vite of its own, and says on every line what it does. */
async function runVitepress(outDir) {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', join(root, 'src/docs'), '--outDir', outDir],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const status = await new Promise((done) => child.once('close', done))
  if (status !== 0) throw new Error(`The documentation can't be built:\n${said}`)
}
