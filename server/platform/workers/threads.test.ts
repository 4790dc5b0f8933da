import { getEventListeners, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { bundleForNode } from '../../../tests/support/bundle'
import { cutContent, readContent, readFaqCsv, readSitemapFile } from '../../modules/knowledge/tasks'
import { createThreads } from './createThreads'
import { carryOut } from './defineTask'

const html = '<title>Lamps</title><h1>Lamps</h1><p>We sell lamps for harbours.</p>'
const present: ReadonlySet<string> = new Set()
const limits = { timeMs: 60_000, heapMb: 64 }
let folder: string
/** Path of a test program that answers as its input says, and with the name of its thread. */
let obedient: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-threads-'))
  obedient = join(folder, 'thread.mjs')
  await writeFile(
    obedient,
    `import { parentPort, threadId } from 'node:worker_threads'
    const kept = []
    parentPort.on('message', ({ input: { csv: html } }) => {
      if (html === 'endless') for (;;);
      if (html === 'pattern') /^(a+)+$/.test('a'.repeat(60) + '!')
      if (html === 'large') for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })))
      if (html === 'crash') process.exit(3)
      if (html === 'wrong') return parentPort.postMessage({ error: 'nested too deeply' })
      if (html === 'held') return
      parentPort.postMessage({ result: { title: html, thread: threadId } })
      if (html === 'last') parentPort.close()
    })`,
  )
})
afterAll(() => rm(folder, { recursive: true }))
/** The test thread answers with other objects than the task's type. */
const titleOf = (answer: unknown): unknown => (answer as { title?: string }).title

it('carries out a task in a thread as it would here', async () => {
  const { entry, remove } = await bundleForNode('server/taskThread.ts')
  const run = createThreads({ timeMs: 30_000, heapMb: 256, program: entry })
  const bytes = new TextEncoder().encode(html)
  const page = { bytes, contentType: 'text/html', kind: 'html' as const, url: 'https://lamps.example/' }
  const content = { title: 'Lamps', markdown: html, faq: null, language: null, etag: null, pages: null, note: null }
  const cut = { content, isFaq: false, known: null }
  const sitemap = {
    bytes: new TextEncoder().encode('<urlset><loc>https://lamps.example/a</loc></urlset>'),
    contentType: undefined,
    scope: { sites: new Set(['lamps.example']), include: [], exclude: [] },
    most: 10,
  }
  const csv = { csv: 'question,answer\nWhere?,Here.', present }
  expect(await run(readContent, page)).toEqual(await carryOut(readContent, page))
  expect(await run(cutContent, cut)).toEqual(await carryOut(cutContent, cut))
  expect(await run(readSitemapFile, sitemap)).toEqual(await carryOut(readSitemapFile, sitemap))
  expect(await run(readFaqCsv, csv)).toEqual(await carryOut(readFaqCsv, csv))
  await remove()
})

it('ends what takes too much time or memory, breaks, or fails, and carries out what follows', async () => {
  const run = createThreads({ ...limits, timeMs: 1_000, program: obedient })
  // what ends by itself has all the time that a slow machine takes for it
  const asked = ['endless', 'first', 'pattern', 'large', 'crash', 'wrong', 'last'].map((text) =>
    run(readFaqCsv, { csv: text, present }, /endless|pattern/.test(text) ? {} : { timeMs: limits.timeMs }),
  )
  const outcomes = await Promise.allSettled(asked)
  expect(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? titleOf(outcome.value) : `${outcome.reason.fault}: ${outcome.reason.message}`,
    ),
  ).toEqual([
    'slow: it took more than 1 s',
    'first',
    'slow: it took more than 1 s',
    expect.stringMatching(/^large: /),
    'lost: the thread ended',
    'failed: nested too deeply',
    'last',
  ])
})

it('takes back what nobody wants any more, whether it waits or runs', async () => {
  const run = createThreads({ ...limits, program: obedient })
  const stop = { running: new AbortController(), waiting: new AbortController() }
  const running = run(readFaqCsv, { csv: 'held', present }, { signal: stop.running.signal })
  const waiting = run(readFaqCsv, { csv: 'held', present }, { signal: stop.waiting.signal })
  const next = run(readFaqCsv, { csv: 'next', present })
  stop.waiting.abort(new Error('not that one'))
  await expect(waiting).rejects.toThrow('not that one')
  stop.running.abort(new Error('nor that'))
  await expect(running).rejects.toThrow('nor that')
  expect(titleOf(await next)).toBe('next')
  await expect(
    run(readFaqCsv, { csv: 'x', present }, { signal: AbortSignal.abort(new Error('late')) }),
  ).rejects.toThrow('late')
})

it('leaves a thread to the others also when one of an owner’s tasks has ended and others follow', async () => {
  const run = createThreads({ ...limits, threads: 3, program: obedient })
  const stop = new AbortController()
  const ask = (text: string) => run(readFaqCsv, { csv: text, present }, { owner: 'hostile', signal: stop.signal })
  const held = [ask('held')]
  await ask('first')
  // its thread is free again
  await new Promise(setImmediate)
  // two are its own: the third one waits, though it would be done at once
  held.push(ask('held'), ask('third'))
  const outcomes = Promise.allSettled(held)
  expect(titleOf(await run(readFaqCsv, { csv: 'other', present }, { owner: 'other' }))).toBe('other')
  stop.abort()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

it('leaves nothing at the signal that a caller uses for all its tasks', async () => {
  const run = createThreads({ ...limits, program: obedient })
  const { signal } = new AbortController()
  for (const text of ['first', 'second', 'wrong'])
    await run(readFaqCsv, { csv: text, present }, { signal }).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('leaves a thread to the others, however much one owner asks for', async () => {
  const run = createThreads({ ...limits, threads: 2, program: obedient })
  const stop = new AbortController()
  const hostile = ['held', 'held', 'held'].map((text) =>
    run(readFaqCsv, { csv: text, present }, { owner: 'hostile', signal: stop.signal }),
  )
  const outcomes = Promise.allSettled(hostile)
  const [one, other] = await Promise.all(
    ['one', 'other'].map((owner) => run(readFaqCsv, { csv: owner, present }, { owner })),
  )
  expect([titleOf(one), titleOf(other)]).toEqual(['one', 'other'])
  stop.abort()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

it('replaces a thread that has ended between two tasks', async () => {
  const run = createThreads({ ...limits, threads: 1, program: obedient })
  const started = once(process, 'worker') as unknown as Promise<[Worker]>
  const first = run(readFaqCsv, { csv: 'last', present })
  const [thread] = await started
  const ended = once(thread, 'exit')
  expect(titleOf(await first)).toBe('last')
  await ended
  expect(titleOf(await run(readFaqCsv, { csv: 'next', present }))).toBe('next')
})

it('watches the memory of the process while a task runs, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const run = createThreads({ ...limits, growth: 1e12, program: obedient })
    const stop = new AbortController()
    const held = run(readFaqCsv, { csv: 'held', present }, { signal: stop.signal })
    expect(vi.getTimerCount()).toBe(1)
    stop.abort(new Error('nobody wants it'))
    await expect(held).rejects.toThrow('nobody wants it')
    await run(readFaqCsv, { csv: 'next', present })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
