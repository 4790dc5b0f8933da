// `npm run mutate [-- --seed N --count N --only PATH --batch N --lanes N --again]`: makes small changes in copies of the house, one at a time
// in each, and says which of them no test notices. See README.md beside this file.
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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

/** Tests of browsers, of the interface, and of the house itself, which compile or kill for minutes: never tried. */
const LEFT_OUT = /^(?:tests\/(?:e2e|bench|mutation|convergence)|src)\/|growth|scaffold|house|bareHandle|[cC]rash/

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string' },
    batch: { type: 'string', default: 'Infinity' },
    again: { type: 'boolean', default: false },
    light: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    lanes: { type: 'string', default: '1' },
  },
})
const [seed, count, batch, most] = [values.seed, values.count, values.batch, values.seconds].map(Number)
const lanes = Number(values.lanes)
const scope = values.only ? [values.only] : SCOPE

/** Changes that make no difference to anybody, with the reason. */
const equivalents = JSON.parse(await readFile(join(root, 'tests/mutation/equivalent.json'), 'utf8'))

const isEquivalent = ({ path, before, from, to }) =>
  equivalents.some((each) => each.path === path && each.before === before && each.from === from && each.to === to)

/** A lane changes sources in a copy of its own. */
const houses = await Promise.all(Array.from({ length: lanes }, copyHouse))
const [house] = houses
const removeHouses = () => Promise.all(houses.map((each) => each.remove()))
try {
  await main()
} finally {
  await removeHouses()
}

async function main() {
  const report = await readReport()
  // no test can notice these: each would be tried by all of them
  for (const mutant of report.mutants) if (!mutant.state && isEquivalent(mutant)) mutant.state = 'survived'
  const waits = (mutant) =>
    (!mutant.state || (values.again && mutant.state === 'survived' && !isEquivalent(mutant))) &&
    !(values.light && mutant.light)
  const waiting = report.mutants.filter(waits).slice(0, batch).values()
  const isLeftOut = (path) => /\.test\./.test(path) && LEFT_OUT.test(path)
  const sources = house.paths.filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !isLeftOut(path))
  const calls = await readCalls(sources)
  const nearest = createNearestTests(house.folder, sources, calls)
  const needsDatabase = sources.filter(
    (path) => /\.test\./.test(path) && importedBy(house.folder, path).includes('tests/support/database.ts'),
  )
  const nearestTests = (mutant) =>
    values.light ? nearest(mutant).filter((test) => !needsDatabase.includes(test)) : nearest(mutant)
  const secondsOf = (test) => calls.get(test)?.seconds ?? 5
  const readAtStart = values.light ? [] : importedBy(house.folder, 'tests/support/databaseServer.ts')
  const runners = houses.map(({ folder }) =>
    createRunner(folder, report, { readAtStart, light: values.light, secondsOf, most }),
  )
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, async () => {
      for (const runner of runners) runner.stop()
      printScore(report.mutants)
      await removeHouses()
      process.exit(1)
    })
  const runLane = async (runner, { folder }) => {
    for (const mutant of waiting) {
      await tryOut(mutant, runner, folder, nearestTests)
      if (!mutant.state) continue
      console.log(lineOf(mutant))
      writeFileSync(report.file, JSON.stringify(report, null, 1))
    }
  }
  await Promise.all(runners.map((runner, index) => runLane(runner, houses[index])))
  for (const runner of runners) runner.stop()
  printScore(report.mutants)
}

/** Makes a change and notes in the mutant what became of it. */
async function tryOut(mutant, runner, folder, nearestTests) {
  const text = await readFile(join(folder, mutant.path), 'utf8').catch(() => '')
  const start = startOf(mutant, text)
  if (start === null) mutant.state = 'gone'
  else {
    Object.assign(mutant, { start, end: start + mutant.from.length, line: text.slice(0, start).split('\n').length })
    Object.assign(mutant, await runner.run(mutant.path, text, applied(text, mutant), nearestTests(mutant)))
  }
  // tests with a database have not tried yet
  if (values.light && mutant.state === 'survived') Object.assign(mutant, { state: undefined, light: true })
}

/** Where a change is in a source that was edited since it was drawn; null if it is there no more, or twice. */
function startOf({ start, end, from, before }, text) {
  if (text.slice(start, end) === from && lineUpTo(text, start) === before) return start
  const places = `\n${text}`.split(`\n${before}${from}`)
  return places.length === 2 ? places[0].length + before.length : null
}

/** The sample of this seed with what is known of it, so that a run can go on where another ended. */
async function readReport() {
  const name = ['mutation', seed, count, values.only?.replaceAll('/', '-')]
    .filter((part) => part !== undefined)
    .join('-')
  const file = join(root, 'test-results', `${name}.json`)
  await mkdir(dirname(file), { recursive: true })
  const known = await readFile(file, 'utf8').catch(() => null)
  // what failed on one day may have been the machine
  if (known) return { ...JSON.parse(known), red: [], file }
  const report = { file, mutants: await draw(), green: [], red: [] }
  await writeFile(file, JSON.stringify(report, null, 1))
  return report
}

/** What each test file calls, noted once and kept until it is deleted: by this the tests of a change are chosen. */
async function readCalls(sources) {
  const file = join(root, 'test-results/mutation-calls.jsonl')
  const part = `${file}.part`
  if (!existsSync(file)) {
    const noted = await readLines(part)
    const isNoted = (path) => noted.some(({ test }) => test === path)
    const tests = sources.filter((path) => /\.test\.tsx?$/.test(path) && !isNoted(path))
    console.log(`Noting what ${tests.length} test files call`)
    await noteCalls(house.folder, tests, part)
    await rename(part, file)
  }
  return new Map((await readLines(file)).map((each) => [each.test, each]))
}

async function readLines(file) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

async function draw() {
  const paths = house.paths.filter((path) => scope.some((each) => path.startsWith(each)) && !ELSEWHERE.test(path))
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path)).sort()
  const texts = new Map()
  for (const path of sources) texts.set(path, await readFile(join(house.folder, path), 'utf8'))
  const all = sources.flatMap((path) => mutantsOf(path, texts.get(path)))
  const { isRejected, close } = createTypeErrors(house.folder)
  const drawn = []
  let rejected = 0
  for (const mutant of seededShuffle(all, seed)) {
    if (drawn.length === count) break
    if (isRejected(mutant.path, applied(texts.get(mutant.path), mutant))) rejected += 1
    else drawn.push(mutant)
  }
  close()
  console.log(
    `${all.length} changes in ${sources.length} files; ${drawn.length} drawn, ${rejected} rejected by the compiler`,
  )
  return drawn
}

function lineOf({ state, path, line, from, to, by, seconds }) {
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 70)
  return `${state.padEnd(9)} ${path}:${line}  ${short(from)} -> ${short(to) || '(nothing)'}  ${seconds}s${by ? `  ${short(by)}` : ''}`
}

/** The score is of those that were run and that are not known to be equivalent. */
function printScore(mutants) {
  const noticed = mutants.filter(({ state }) => state === 'killed' || state === 'endless')
  const left = mutants.filter(({ state }) => state === 'survived')
  const survived = left.filter((mutant) => !isEquivalent(mutant))
  console.log('\nSurvivors:')
  for (const mutant of survived) console.log(lineOf(mutant))
  const score = (100 * noticed.length) / (noticed.length + survived.length)
  const count = `${noticed.length} noticed, ${survived.length} survived, ${left.length - survived.length} equivalent`
  console.log(`${count}, ${mutants.length - noticed.length - left.length} not run: ${score.toFixed(1)} %`)
}
