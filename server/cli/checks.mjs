// The checks that run no tests: types, style, import rules, dead code. Each counts in the last line of `npm test`.
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printGraph } from './graph.mjs'
import { root } from './sources.mjs'

export const zones = ['engine', 'blocks', 'server', 'src', 'src/docs', 'src/widget', 'tests']
const CRUISED = ['engine', 'blocks', 'server', 'src', 'tests']
/**
 * Far fewer modules than exist: a dependency-cruiser that can't parse TypeScript sees none and reports no violations.
 */
const FEWEST_MODULES = 100

const bin = (name) => join(root, 'node_modules/.bin', name)

/** Parallel checks: the compiler uses one core. */
const LANES = 2

/** @returns `{ name, passed, output }` of each check; `report` is called with each when it is done */
export async function runChecks(report) {
  // longest first
  const waiting = [
    ...zones.toReversed().map((zone) => ({ name: `types of ${zone}`, run: () => checkTypes(zone) })),
    { name: 'import rules', run: () => checkImports() },
    { name: 'readers of what lies beside the repository', run: () => checkReaders() },
    { name: 'length of comments', run: () => checkComments() },
    { name: 'dead code', run: () => call('knip', ['--no-progress']) },
    { name: 'biome', run: () => call('biome', ['check', '--error-on-warnings', '--colors=off']) },
  ]
  const results = []
  const lane = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const result = { name: check.name, ...(await check.run()) }
      report(result)
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

/**
 * @returns whether a zone's types hold. The native compiler takes a third of the time of the one that tools read syntax
 * trees with (`typescript`); each further checker of it would cost as much memory again.
 */
export function checkTypes(zone, folder = root) {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return run(process.execPath, [compiler, '-p', zone, '--checkers', '1'], folder)
}

/** @returns whether dependency-cruiser found no violation, in a plausible number of modules */
export async function checkImports(folder = root, fewest = FEWEST_MODULES) {
  const result = await call('depcruise', ['--config', join(root, '.dependency-cruiser.mjs'), ...CRUISED], folder)
  const seen = Number(/(\d+) modules/.exec(result.output)?.[1] ?? 0)
  if (seen >= fewest) return result
  return { passed: false, output: `${result.output}\ndependency-cruiser saw ${seen} modules, which can't be all` }
}

/** Names of files and folders beside the repository, as code would write them. */
const BESIDE = /\.\.\/shared\b|\bshared\/(?:flows|data|contracts|corpus)\b|, ['"`]shared['"`]/
const READER = 'tests/support/shared.ts'
/** A module that imports the reader from the folder beside it. */
const IMPORTS_READER = / from '\.\.\/shared'$/

/** @returns whether only the one reader accesses the folder beside the repository, so that a clone without it passes */
export async function checkReaders(folder = root) {
  const found = await linesWhere(
    (line, path) => path !== READER && BESIDE.test(line) && !IMPORTS_READER.test(line),
    CRUISED,
    /\.(?:m?[jt]sx?|json)$/,
    folder,
  )
  const remedy = `Read it through ${READER}, which says whether it is there, and skip what needs it where it is not.`
  return { passed: found.length === 0, output: found.length === 0 ? '' : [...found, remedy].join('\n') }
}

/** The most characters of a line, as in biome.json: the formatter wraps code, but no comments. */
const LINE_WIDTH = 120
/** A line that begins with a comment or continues one, or ends with one. */
const COMMENT = /^\s*(?:\{?\/\*|\*|\/\/)|\s\/\/\s/

/** @returns whether no line with a comment is longer than `LINE_WIDTH`, except for addresses, which can't be wrapped */
export async function checkComments(folder = root) {
  const isLong = (line) => line.length > LINE_WIDTH && COMMENT.test(line) && !line.includes('://')
  const found = await linesWhere(isLong, ['engine', 'blocks', 'server', 'src'], /\.(?:m?[jt]sx?|css)$/, folder)
  const remedy = `Wrap comments at ${LINE_WIDTH} characters.`
  return { passed: found.length === 0, output: found.length === 0 ? '' : [...found, remedy].join('\n') }
}

/** @returns `path:number text` of each line in the zones' files that `test` finds */
async function linesWhere(test, searched, fileNames, folder) {
  const found = []
  for (const zone of searched) {
    const entries = await readdir(join(folder, zone), { withFileTypes: true, recursive: true })
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile() && fileNames.test(entry.name))) {
      const path = relative(folder, join(parentPath, name))
      const lines = (await readFile(join(folder, path), 'utf8')).split('\n')
      lines.forEach((line, at) => {
        if (test(line, path)) found.push(`${path}:${at + 1} ${line.trim()}`)
      })
    }
  }
  return found
}

/** Runs a tool of the project. @returns whether its exit code was 0, and its output */
export const call = (name, args, cwd = root) => run(bin(name), args, cwd)

function run(program, args, cwd) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => done({ passed: false, output: error.message }))
    child.once('close', (status) => done({ passed: status === 0, output: output.trim() }))
  })
}

export function printCheck({ name, passed, output }) {
  console.log(`${passed ? '✓' : '✗'} ${name}`)
  if (!passed) console.log(output)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === 'graph') printGraph()
  else {
    const checks = await runChecks(printCheck)
    process.exitCode = checks.every((check) => check.passed) ? 0 : 1
  }
}
