// The checks that run nothing: types, style, import rules, dead code. Each is one entry of the closing line of `npm test`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './sources.mjs'

export const zones = ['engine', 'blocks', 'server', 'src', 'src/widget', 'tests']
const CRUISED = ['engine', 'blocks', 'server', 'src', 'tests']
/** Far fewer modules than there are: a cruiser that can't read TypeScript sees none and is content. */
const FEWEST_MODULES = 100

const bin = (name) => join(root, 'node_modules/.bin', name)

/** @returns `{ name, passed, output }` of each check, in order, each told to `report` when it is known */
export function runChecks(report) {
  const checks = [
    ...zones.map((zone) => ({ name: `types of ${zone}`, run: () => call('tsc', ['-p', zone]) })),
    { name: 'biome', run: () => call('biome', ['check', '--error-on-warnings', '--colors=off']) },
    { name: 'import rules', run: checkImports },
    { name: 'dead code', run: () => call('knip', ['--no-progress']) },
  ]
  return checks.map(({ name, run }) => {
    const result = { name, ...run() }
    report(result)
    return result
  })
}

/** @returns whether dependency-cruiser found no violation in a number of modules that is believable */
export function checkImports(folder = root, fewest = FEWEST_MODULES) {
  const result = call('depcruise', ['--config', join(root, '.dependency-cruiser.mjs'), ...CRUISED], folder)
  const seen = Number(/(\d+) modules/.exec(result.output)?.[1] ?? 0)
  if (seen >= fewest) return result
  return { passed: false, output: `${result.output}\ndependency-cruiser saw ${seen} modules, which can't be all` }
}

export function call(name, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(bin(name), args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  return { passed: status === 0, output: error ? error.message : `${stdout}${stderr}`.trim() }
}

export function printCheck({ name, passed, output }) {
  console.log(`${passed ? '✓' : '✗'} ${name}`)
  if (!passed) console.log(output)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = runChecks(printCheck).every((check) => check.passed) ? 0 : 1
}
