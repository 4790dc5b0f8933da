// A process in the copy of the house that keeps vitest and the database of its tests: starting both anew for each change takes longer than
// most runs. Its parent ends it when a change makes the tests run without end.
import { join } from 'node:path'
import { createVitest } from 'vitest/node'

const folder = process.cwd()
/** What a test says that waited in vain: on a busy machine it may fail without any change. */
const LATE = /timed? ?out|did not succeed in time/i
let failed = []
const reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    const late = errors.some(({ message, cause }) => LATE.test(`${message} ${cause?.message}`))
    failed.push({ path: test.module.relativeModuleId, name: test.fullName, late })
  },
  onTestModuleEnd(module) {
    const path = module.relativeModuleId
    if (module.state() !== 'failed' || failed.some((each) => each.path === path)) return
    const name = String(module.errors()[0]?.message ?? 'a hook failed').split('\n')[0]
    failed.push({ path, name, late: LATE.test(name) })
  },
  onTestRunEnd(_modules, errors) {
    for (const { message } of errors) failed.push({ path: null, name: String(message).split('\n')[0], late: false })
  },
}

const vitest = await createVitest('test', {
  root: folder,
  watch: false,
  project: ['node'],
  reporters: [reporter],
  bail: process.env.NOTE_CALLS ? 0 : 1,
  cache: false,
  silent: true,
})
await vitest.standalone()
const node = vitest.projects.find(({ name }) => name === 'node')
// less patient than elsewhere: a change by which something never comes is tried once more by the runner
Object.assign(node.config, { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } })
if (process.env.LIGHT)
  // one process: each worker starts anew for each change and reads what the tests import, which takes longer than these tests
  for (const project of vitest.projects) Object.assign(project.config, { globalSetup: [], maxWorkers: 1 })
if (process.env.NOTE_CALLS) node.config.setupFiles.push(join(folder, 'tests/mutation/noteCalls.ts'))

process.on('message', async ({ changed, tests }) => {
  for (const path of changed) vitest.invalidateFile(join(folder, path))
  failed = []
  await vitest.runTestSpecifications(tests.map((path) => node.createSpecification(join(folder, path))))
  process.send({ failed })
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
