// `npm run bench [-- name… [FOLDER] [NUMBER…]]`: runs measurements. tests/bench/<name>.bench.mjs are programs,
// <name>.bench.ts are vitest benchmarks. A folder, of those that read one, is a path with a slash.
// Numbers are the sizes to measure, of those that measure several.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkNode } from './checkNode.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { root } from './sources.mjs'

if (!checkNode()) process.exit(1)
ensureInstalled()
ensureBuilt()

const folder = join(root, 'tests/bench')
const benches = readdirSync(folder).filter((file) => /\.bench\.(mjs|ts)$/.test(file))
const args = process.argv.slice(2)
const sizes = args.filter((name) => /^\d+$/.test(name))
const names = args.filter((name) => !/[/\\]|^\d+$/.test(name))
const data = args.find((name) => /[/\\]/.test(name))
const env = {
  ...process.env,
  ...(data && { PARLEY_BENCH_FOLDER: resolve(data) }),
  ...(sizes.length > 0 && { PARLEY_BENCH_SIZES: sizes.join(',') }),
}
const unknown = names.filter((name) => !benches.some((file) => file.startsWith(`${name}.bench.`)))
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. There are: ${benches.map((file) => file.split('.')[0]).join(', ')}`,
  )
  process.exit(1)
}

for (const file of benches) {
  if (names.length > 0 && !names.includes(file.split('.')[0])) continue
  console.log(`\n# ${file}`)
  const command = file.endsWith('.mjs')
    ? [join(folder, file)]
    : [join(root, 'node_modules/vitest/vitest.mjs'), 'bench', '--run', '--project', 'node', join('tests/bench', file)]
  const { status } = spawnSync(process.execPath, command, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
