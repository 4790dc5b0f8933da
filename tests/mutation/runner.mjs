import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Tests run in groups, the nearest first: most changes are noticed by the first file. */
const GROUPS = [1, 2, 4, 8, 8, 8]
/** Longer test files are not tried. */
const LONGEST_SECONDS = 60
const START_SECONDS = 120
/** Tests that take so many times as long as when calls were noted, and some seconds, run without end. */
const ENDLESS = 3
const ENDLESS_SECONDS = 20
const LIGHT_SECONDS = 40
const NOTE_SECONDS = 3600
/** A process that stays is ended after so many runs: it keeps every version of a source in memory. */
const RUNS = 60

/**
 * Runs tests against changed sources in the copy of the house at `folder`.
 * @param known `{ green, red }`: test files that are known to pass, or fail, in the copy without any change; more are added
 * @param options `readAtStart`: the files that start the database of the tests, a change of which needs another one;
 * `light`: no test needs it; `secondsOf`: how long a test file took when calls were noted; `most`: a change survives that
 * no test noticed in so many of these seconds, so that the same tests are tried on a machine that has much to do
 */
export function createRunner(folder, known, { readAtStart, light, secondsOf, most }) {
  let lane = null
  let stopped = false
  /** runs in the process of the tests, and whether a test failed in it, which may have left something behind */
  let runs = 0
  let failedBefore = false
  /** tests that pass alone, without any change */
  const alone = new Set()
  /** files that differ from what the lane has read */
  const changed = new Set()

  async function ask(tests, { fresh = false, only } = {}) {
    // the process is about to end
    if (stopped) return new Promise(() => {})
    if (!lane || fresh || runs === RUNS) [runs, failedBefore] = [0, false]
    runs += 1
    lane ??= await startLane(folder, light ? { LIGHT: '1' } : {})
    const usual = tests.reduce((sum, each) => sum + secondsOf(each), 0)
    const seconds = light ? LIGHT_SECONDS : ENDLESS_SECONDS + ENDLESS * usual
    const answer = await lane.ask({ changed: [...changed], tests, only, fresh: runs === 1 }, seconds)
    changed.clear()
    if (answer.ended) lane = null
    const wasClean = !failedBefore
    failedBefore ||= answer.failed?.length > 0
    return { ...answer, wasClean }
  }

  function endLane() {
    lane?.end()
    lane = null
  }

  async function write(path, text) {
    // the copy is about to be removed
    if (stopped) return new Promise(() => {})
    await writeFile(join(folder, path), text)
    changed.add(path)
    // what starts the database of the tests is read once by each lane
    if (readAtStart.includes(path)) endLane()
  }

  async function passes(path, fresh = false) {
    const { failed, ended } = await ask([path], { fresh })
    return !ended && failed.length === 0
  }

  /** Whether a test that failed passes at once in the same process, without the change. */
  async function passesAlone({ path, only }) {
    const { failed, passed, ended } = await ask([path], { only })
    const passes = !ended && failed.length === 0 && passed > 0
    if (passes) alone.add(keyOf({ path, only }))
    return passes
  }

  /** A test file that fails twice without any change says nothing. */
  async function isGreen(path) {
    if (known.green.includes(path)) return true
    if (known.red.includes(path)) return false
    const green = (await passes(path)) || (await passes(path, true))
    ;(green ? known.green : known.red).push(path)
    return green
  }

  /** Whether a test that ran out of time passes without the change, and fails again with it. */
  async function failsAgain(path, text, changedText, test, isEndless) {
    if (!(await passes(test))) return false
    if (isEndless) return true
    const { failed = [], ended } = await runGroup(path, text, changedText, [test])
    return ended || failed.length > 0
  }

  async function runGroup(path, text, changedText, tests, fresh = false) {
    await write(path, changedText)
    const answer = await ask(tests, { fresh })
    await write(path, text)
    return answer
  }

  /** @returns `{ state: 'killed' | 'endless', by }` for the group, null if all of it passes */
  async function noticed(path, text, changedText, tests) {
    const run = (some) => noticed(path, text, changedText, some)
    let { failed = [], ended, wasClean } = await runGroup(path, text, changedText, tests)
    const first = failed.find((test) => test.path && test.only && !test.late)
    const isKnown = first && wasClean && alone.has(keyOf(first))
    if (first && !ended && (isKnown || (await passesAlone(first)))) return { state: 'killed', by: nameOf(first) }
    // what an earlier change has left in the process may be why: a new process decides
    if (failed.length > 0 && !wasClean && !ended)
      ({ failed = [], ended } = await runGroup(path, text, changedText, tests, true))
    // a group may take long without any change
    if (ended && tests.length > 1) return (await run(tests.slice(0, 1))) ?? run(tests.slice(1))
    const suspects = ended ? tests : [...new Set(failed.map((each) => each.path ?? tests[0]))]
    if (suspects.length === 0) return null
    const noticing = []
    for (const each of suspects) {
      const late = ended || failed.every((test) => test.late || (test.path ?? tests[0]) !== each)
      if ((await isGreen(each)) && !(late && !(await failsAgain(path, text, changedText, each, ended))))
        noticing.push(each)
    }
    if (noticing.length > 0)
      return ended
        ? { state: 'endless', by: tests[0] }
        : { state: 'killed', by: nameOf(failed.find((test) => (test.path ?? tests[0]) === noticing[0])) }
    const others = tests.filter((each) => !suspects.includes(each))
    return others.length > 0 ? run(others) : null
  }

  return {
    /** @returns `{ state: 'killed' | 'endless' | 'survived', by, seconds }` */
    async run(path, text, changedText, nearest) {
      const began = Date.now()
      const seconds = () => Math.round((Date.now() - began) / 1000)
      const waiting = nearest.filter((each) => !known.red.includes(each) && secondsOf(each) < LONGEST_SECONDS)
      let tried = 0
      for (const size of GROUPS) {
        const tests = waiting.splice(0, size)
        if (tests.length === 0 || tried > most) break
        for (const each of tests) tried += secondsOf(each)
        const found = await noticed(path, text, changedText, tests)
        if (found) return { ...found, seconds: seconds() }
      }
      return { state: 'survived', seconds: seconds() }
    },
    stop() {
      stopped = true
      endLane()
    },
  }
}

const keyOf = ({ path, only }) => `${path}: ${only}`
const nameOf = ({ path, name }) => `${path ?? 'unhandled'}: ${name}`

/** Runs every test once and writes to `file` what each calls. */
export async function noteCalls(folder, tests, file) {
  const lane = await startLane(folder, { NOTE_CALLS: file })
  await lane.ask({ changed: [], tests }, NOTE_SECONDS)
  lane.end()
}

async function startLane(folder, env = {}) {
  const child = spawn(process.execPath, [join(folder, 'tests/mutation/lane.mjs')], {
    cwd: folder,
    env: { ...process.env, ...env },
    // a group of its own, which ends with all that the tests have started
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
  const next = (seconds) =>
    new Promise((done) => {
      const finish = (answer) => {
        clearTimeout(timer)
        child.removeAllListeners('message').removeAllListeners('exit')
        done(answer)
      }
      const timer = setTimeout(() => {
        end()
        finish({ ended: true })
      }, seconds * 1000)
      child.once('message', finish)
      child.once('exit', () => finish({ ended: true }))
    })
  const { ended } = await next(START_SECONDS)
  if (ended) throw new Error('The process that runs the tests did not start.')
  return {
    ask(message, seconds) {
      child.send(message)
      return next(seconds)
    },
    end,
  }
}
