import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { docsAreCurrent } from './docsBuild.mjs'
import { buildStamp, root, sourcesHash } from './sources.mjs'

/** Installs dependencies if they are missing or differ from the lockfile. Exits if npm fails. */
export function ensureInstalled() {
  const reason = whyInstall()
  if (!reason) return
  console.error(`Installing dependencies (${reason})…`)
  run(npm(), [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
}

/** Builds if there is no build, or one from other sources; the documentation likewise. Exits if a build fails. */
export function ensureBuilt() {
  const current = existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === sourcesHash()
  if (current && docsAreCurrent()) return
  console.error(current ? 'Building the documentation…' : 'Building…')
  run([process.execPath], [join(root, 'server/cli/build.mjs'), ...(current ? ['docs'] : [])])
}

/**
 * Bundles the command line if there is no bundle of these sources. The folder is named by their hash and renamed into
 * place, so that several may run at once.
 * @returns the address of the module to import
 */
export async function ensureCliBuilt() {
  const name = `cli-${sourcesHash().slice(0, 16)}`
  const folder = join(root, 'build', name)
  const entry = pathToFileURL(join(folder, 'parley.js')).href
  if (existsSync(folder)) return entry
  console.error('Building…')
  const { buildCli } = await import('./build.mjs')
  const made = join(root, 'build', `making-${name}-${process.pid}`)
  await buildCli(made)
  await rename(made, folder).catch((error) => {
    if (!existsSync(folder)) throw error
  })
  const left = (await readdir(join(root, 'build'))).filter((other) => /^cli-/.test(other) && other !== name)
  await Promise.all(
    [made, ...left.map((other) => join(root, 'build', other))].map((old) => rm(old, { recursive: true, force: true })),
  )
  return entry
}

/**
 * Compares npm's own record of the installation with the lockfile: no timestamps, no file of ours that `npm ci` would
 * not write.
 */
function whyInstall() {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return 'there are none yet'
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  for (const path of Object.keys(wanted)) {
    if (path === '' || (wanted[path].optional && !installed[path])) continue
    if (!installed[path] || installed[path].version !== wanted[path].version)
      return `${path.replace(/.*node_modules\//, '')} has changed`
  }
  return null
}

function npm() {
  const script = process.env.npm_execpath
  return script && /\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
}

function run([command, ...first], args) {
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    // progress goes to stderr: a command's output may be redirected
    stdio: ['ignore', 2, 2],
  })
  if (error) console.error(`Parley can't run ${command}: ${error.message}`)
  if (status !== 0) process.exit(status || 1)
}
