// A process in the copy of the house that keeps vitest and the database of its tests: starting both anew for each change takes longer than
// most runs. Its parent ends it when a change makes the tests run without end.
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { createKeptWorker } from './keptWorker.mjs'

const folder = process.cwd()
/** What a test says that waited in vain: on a busy machine it may fail without any change. */
const LATE = /timed? ?out|did not succeed in time/i
let failed = []
let passed = 0
const reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state === 'passed') passed += 1
    if (state !== 'failed') return
    const late = errors.some(({ message, cause }) => LATE.test(`${message} ${cause?.message}`))
    failed.push({ path: test.module.relativeModuleId, name: test.fullName, only: test.name, late })
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
Object.assign(node.config, { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 8_000 } } })
if (process.env.LIGHT) for (const project of vitest.projects) project.config.globalSetup = []
const worker = createKeptWorker()
if (process.env.NOTE_CALLS) node.config.setupFiles.push(join(folder, 'tests/mutation/noteCalls.ts'))
else
  Object.assign(node.config, {
    maxWorkers: 1,
    pool: 'kept',
    poolRunner: { name: 'kept', createPoolWorker: worker.create },
  })

/** The file, and all that imports it, by way of others too: a process that stays evaluates these anew. */
function dependentsOf(path) {
  const graphs = Object.values(node.vite.environments).map(({ moduleGraph }) => moduleGraph)
  const found = new Set([path])
  for (const file of found)
    for (const module of graphs.flatMap((graph) => [...(graph.getModulesByFile(file) ?? [])]))
      for (const { file: importer } of module.importers) if (importer) found.add(importer)
  return found
}

/** The whole test file, or its tests of this name `only`. */
function specification(path, only) {
  const testNamePattern = only && new RegExp(`${only.replace(/[^\w\s]/g, '\\$&')}$`)
  return node.createSpecification(join(folder, path), testNamePattern && { testNamePattern })
}

process.on('message', async ({ changed, tests, only, fresh }) => {
  if (fresh) worker.end()
  for (const path of changed.map((each) => join(folder, each))) {
    for (const each of dependentsOf(path)) vitest.watcher.invalidates.add(each)
    vitest.invalidateFile(path)
  }
  failed = []
  passed = 0
  await vitest.runTestSpecifications(tests.map((path) => specification(path, only)))
  process.send({ failed, passed })
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
