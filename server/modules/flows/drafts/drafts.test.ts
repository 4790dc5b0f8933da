import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../../../blocks/registry'
import { updateOf } from '../../../../engine/document/plainFlow'
import { serialiseFlow } from '../../../../engine/flow/canonical'
import { createCountingIds } from '../../../../engine/flow/ids'
import { bundleForNode } from '../../../../tests/support/bundle'
import { largeFlow } from '../../../../tests/support/largeFlow'
import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { createDrafts, type Drafts } from './createDrafts'
import { createDraftTasks } from './draftTasks'

let worker: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  worker = await bundleForNode('server/taskThread.ts')
})
afterAll(() => worker?.remove())

const LIMITS = { timeMs: 60_000, heapMb: 1_000 }
/** Threads as the server has them, and a log of their tasks. */
function threaded(limits = LIMITS): { drafts: Drafts; asked: string[] } {
  const run = createThreads({ ...limits, program: worker.entry })
  const asked: string[] = []
  const noting: RunTask = (name, input, options) => {
    asked.push((input as { name: string }).name)
    return run(name, input, options)
  }
  return { drafts: createDrafts({ registry, ids: createCountingIds('x') }, noting), asked }
}

const flow = largeFlow(200)
const stored = updateOf(flow, registry)
/** A new copy each time, since it is transferred. */
const given = () => [stored.slice()]
const givenDrafts = () => [{ id: 'main', title: 'Main', parts: given() }]
const present = { names: [], values: [] }
const here = createDraftTasks(registry, createCountingIds('x'))

test('what works on a large draft is done in a thread, with what it would give here', async () => {
  const { drafts: threads, asked } = threaded()
  const work: Drafts['work'] = threads.work
  expect(await work('p', 'read', { parts: given() })).toEqual(here.read({ parts: given() }))
  expect(await work('p', 'freeze', { drafts: givenDrafts(), checked: null })).toEqual(
    here.freeze({ drafts: givenDrafts(), checked: null }),
  )
  expect(await work('p', 'check', { drafts: givenDrafts(), secrets: [] })).toEqual(
    here.check({ drafts: givenDrafts(), secrets: [] }),
  )
  expect(await work('p', 'exportFile', { drafts: givenDrafts() })).toBe(here.exportFile({ drafts: givenDrafts() }))
  expect(await work('p', 'outline', { drafts: givenDrafts() })).toEqual(here.outline({ drafts: givenDrafts() }))
  expect((await work('p', 'prepare', { parts: given() })).repairs).toEqual([])
  const source = serialiseFlow(flow)
  expect((await work('p', 'readFile', { source, present })).result).toEqual(here.readFile({ source, present }).result)
  const imported = await work('p', 'importFile', { source, parts: given(), mode: 'insert', present })
  expect(here.read({ parts: [stored, imported.update] }).groups).toHaveLength(400)
  expect(here.read({ parts: [stored, ...imported.pieces] })).toEqual(here.read({ parts: [stored, imported.update] }))
  const copied = await work('p', 'copy', { drafts: givenDrafts() })
  expect(here.read({ parts: [copied.main] })).toEqual(here.read({ parts: given() }))
  await work('p', 'replace', { flow, parts: given() })
  expect(asked).toEqual([
    'read',
    'freeze',
    'check',
    'exportFile',
    'outline',
    'prepare',
    'readFile',
    'importFile',
    'copy',
    'replace',
  ])
})

test('a large document comes in pieces, each of bounded work', () => {
  const source = serialiseFlow(flow)
  const pieces = {
    whole: [stored],
    prepare: here.prepare({ parts: given() }).pieces,
    split: here.split({ parts: given() }),
    importFile: here.importFile({ source, parts: [], mode: 'insert', present }).pieces,
    replace: here.replace({ flow, parts: [] }).pieces,
  }
  const largest = Object.entries(pieces).map(([of, each]) => [
    of,
    Math.max(...each.map((piece) => Y.decodeUpdate(piece).structs.length)) > 2_000,
  ])
  expect(largest).toEqual([
    ['whole', true],
    ['prepare', false],
    ['split', false],
    ['importFile', false],
    ['replace', false],
  ])
  expect(here.read({ parts: pieces.prepare })).toEqual(here.read({ parts: given() }))
})

test('bytes are given to a thread rather than copied, but for those that are a part of others', async () => {
  const { drafts: threads } = threaded()
  const own = stored.slice()
  const shared = new Uint8Array(stored.length + 1)
  shared.set(stored)
  const [first, second] = [own, shared.subarray(0, stored.length)]
  expect(await threads.work('p', 'read', { parts: [first] })).toEqual(
    await threads.work('p', 'read', { parts: [second] }),
  )
  expect([first.length, second.length]).toEqual([0, stored.length])
})

test('what is small is done at once, without a thread', async () => {
  const { drafts: threads, asked } = threaded()
  const small = [updateOf(largeFlow(3), registry)]
  expect((await threads.work('p', 'read', { parts: small })).groups).toHaveLength(3)
  expect(asked).toEqual([])
})

test('a refusal comes from a thread as it is; what takes too long or too much is refused as too large', async () => {
  const broken = `${serialiseFlow(flow)}}`
  await expect(threaded().drafts.work('p', 'readFile', { source: broken, present })).rejects.toMatchObject({
    code: 'invalid',
    fields: { source: expect.any(String) },
  })
  await expect(threaded({ ...LIMITS, timeMs: 1 }).drafts.work('p', 'read', { parts: given() })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('Split it'),
  })
})
