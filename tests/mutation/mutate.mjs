// `npm run mutate [-- --seed N --count N --only PATH --batch N --again]`: makes small changes in a copy of the house, one at a time, and says
// which of them no test notices. See README.md beside this file.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../server/cli/sources.mjs'
import { copyHouse } from './houseCopy.mjs'
import { applied, lineUpTo, mutantsOf } from './mutants.mjs'
import { createNearestTests, importedBy } from './nearestTests.mjs'
import { createRunner, noteCalls } from './runner.mjs'
import { seededShuffle } from './shuffle.mjs'
import { createTypeErrors } from './typeErrors.mjs'

/** What decides over money and tenants, and what everything stands on. */
const SCOPE = [
  'engine/run/',
  'server/platform/',
  'server/access/',
  'server/modules/billing/',
  'server/modules/projects/',
  'server/modules/secrets/',
  'server/modules/accounts/members/',
  'server/modules/accounts/api-keys/',
  'server/modules/agents/answering/answerQuestions.ts',
  'server/modules/agents/answering/createAnswering.ts',
  'server/modules/agents/modelOfCall.ts',
  'server/modules/mails/createMailer.ts',
  'server/modules/knowledge/training/chargeTraining.ts',
  'server/modules/knowledge/training/resyncDue.ts',
  'server/modules/knowledge/sources/queueAgain.ts',
]

/** What only the built program's tests drive (tests/e2e), and how mails look. */
const ELSEWHERE = /database\/(?:openStorage|embedded\/(?:binaries|cluster|running|starter))\.ts$|mail\/templates\//

/** Tests of browsers, of the interface, and of the house itself, which compile or kill for minutes. */
const UNCOUNTED = /^(?:tests\/(?:e2e|bench|mutation|convergence)|src|blocks)\/|growth|scaffold|house|[cC]rash/

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string' },
    batch: { type: 'string', default: 'Infinity' },
    again: { type: 'boolean', default: false },
    light: { type: 'boolean', default: false },
  },
})
const [seed, count, batch] = [values.seed, values.count, values.batch].map(Number)
const scope = values.only ? [values.only] : SCOPE

const house = await copyHouse()
try {
  await main()
} finally {
  await house.remove()
}

async function main() {
  const report = await readReport()
  const waits = ({ state, light }) => (!state || (values.again && state === 'survived')) && !(values.light && light)
  const waiting = report.mutants.filter(waits).slice(0, batch)
  const sources = house.paths.filter((path) => /\.(?:tsx?|mjs)$/.test(path))
  const nearest = createNearestTests(house.folder, sources, await readCalls(sources))
  const needsDatabase = sources.filter(
    (path) => /\.test\./.test(path) && importedBy(house.folder, path).includes('tests/support/database.ts'),
  )
  const nearestTests = (mutant) =>
    values.light ? nearest(mutant).filter((test) => !needsDatabase.includes(test)) : nearest(mutant)
  const readAtStart = values.light ? [] : importedBy(house.folder, 'tests/support/databaseServer.ts')
  const runner = createRunner(house.folder, report, { readAtStart, light: values.light })
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, async () => {
      runner.stop()
      await house.remove()
      process.exit(1)
    })
  for (const mutant of waiting) {
    const text = await readFile(join(house.folder, mutant.path), 'utf8')
    if (!isThere(mutant, text)) mutant.state = 'gone'
    else Object.assign(mutant, await runner.run(mutant.path, text, applied(text, mutant), nearestTests(mutant)))
    // tests with a database have not tried yet
    if (values.light && mutant.state === 'survived') Object.assign(mutant, { state: undefined, light: true })
    if (!mutant.state) continue
    console.log(lineOf(mutant))
    await writeFile(report.file, JSON.stringify(report, null, 1))
  }
  runner.stop()
  printScore(report.mutants)
}

/** Whether the source is still what it was when the change was drawn. */
function isThere({ start, end, from, before }, text) {
  return text.slice(start, end) === from && lineUpTo(text, start) === before
}

/** The sample of this seed with what is known of it, so that a run can go on where another ended. */
async function readReport() {
  const name = ['mutation', seed, count, values.only?.replaceAll('/', '-')]
    .filter((part) => part !== undefined)
    .join('-')
  const file = join(root, 'test-results', `${name}.json`)
  await mkdir(dirname(file), { recursive: true })
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known) return { ...JSON.parse(known), file }
  const report = { file, mutants: await draw(), green: [], red: [] }
  await writeFile(file, JSON.stringify(report, null, 1))
  return report
}

/** What each test file calls, noted once and kept until it is deleted: by this the tests of a change are chosen. */
async function readCalls(sources) {
  const file = join(root, 'test-results/mutation-calls.jsonl')
  if (!existsSync(file)) {
    const tests = sources.filter((path) => /\.test\.tsx?$/.test(path) && !UNCOUNTED.test(path))
    console.log(`Noting what ${tests.length} test files call`)
    await noteCalls(house.folder, tests, file)
  }
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map((each) => [each.test, each]))
}

async function draw() {
  const paths = house.paths.filter((path) => scope.some((each) => path.startsWith(each)) && !ELSEWHERE.test(path))
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path)).sort()
  const texts = new Map()
  for (const path of sources) texts.set(path, await readFile(join(house.folder, path), 'utf8'))
  const all = sources.flatMap((path) => mutantsOf(path, texts.get(path)))
  const isRejected = createTypeErrors(house.folder)
  const drawn = []
  let rejected = 0
  for (const mutant of seededShuffle(all, seed)) {
    if (drawn.length === count) break
    if (isRejected(mutant.path, applied(texts.get(mutant.path), mutant))) rejected += 1
    else drawn.push(mutant)
  }
  console.log(
    `${all.length} changes in ${sources.length} files; ${drawn.length} drawn, ${rejected} rejected by the compiler`,
  )
  return drawn
}

function lineOf({ state, path, line, from, to, by, seconds }) {
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 70)
  return `${state.padEnd(9)} ${path}:${line}  ${short(from)} -> ${short(to) || '(nothing)'}  ${seconds}s${by ? `  ${short(by)}` : ''}`
}

function printScore(mutants) {
  const count = (...states) => mutants.filter(({ state }) => states.includes(state)).length
  const [noticed, survived] = [count('killed', 'endless'), count('survived')]
  console.log(`\nSurvivors:`)
  for (const mutant of mutants) if (mutant.state === 'survived') console.log(lineOf(mutant))
  const score = noticed + survived > 0 ? ((100 * noticed) / (noticed + survived)).toFixed(1) : '-'
  console.log(`${noticed} noticed, ${survived} survived, ${mutants.length - noticed - survived} not run: ${score} %`)
}
