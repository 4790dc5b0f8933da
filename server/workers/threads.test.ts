import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleForNode } from '../../tests/support/bundle'
import { readHtml } from '../knowledge/page/readHtml'
import { createThreads } from './createThreads'

const URL = 'https://lamps.example/'
const html = '<title>Lamps</title><h1>Lamps</h1><p>We sell lamps for harbours.</p>'
const limits = { timeMs: 1_500, heapMb: 64 }
let folder: string
/** Answers as it is told by what it is given, and with the name of its thread. */
let obedient: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-threads-'))
  obedient = join(folder, 'thread.mjs')
  await writeFile(
    obedient,
    `import { parentPort, threadId } from 'node:worker_threads'
    const kept = []
    parentPort.on('message', ({ input: { html } }) => {
      if (html === 'endless') for (;;);
      if (html === 'pattern') /^(a+)+$/.test('a'.repeat(60) + '!')
      if (html === 'large') for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })))
      if (html === 'crash') process.exit(3)
      if (html === 'wrong') return parentPort.postMessage({ error: 'nested too deeply' })
      if (html === 'held') return
      parentPort.postMessage({ result: { title: html, thread: threadId } })
    })`,
  )
})
afterAll(() => rm(folder, { recursive: true }))

it('carries out a task in a thread as it would here', async () => {
  const { entry, remove } = await bundleForNode('server/workers/taskThread.ts')
  const run = createThreads({ timeMs: 30_000, heapMb: 256, program: entry })
  const read = await Promise.all(
    [html, html.replaceAll('amps', 'anterns')].map((page) => run('readHtml', { html: page, url: URL })),
  )
  expect(read[0]).toEqual(readHtml(html, URL))
  expect(read.map(({ title }) => title)).toEqual(['Lamps', 'Lanterns'])
  await remove()
})

it('ends what takes too much time or memory, breaks, or fails, and carries out what follows', async () => {
  const run = createThreads({ ...limits, program: obedient })
  const asked = ['endless', 'first', 'pattern', 'large', 'crash', 'wrong', 'last'].map((text) =>
    run('readHtml', { html: text, url: URL }),
  )
  const outcomes = await Promise.allSettled(asked)
  expect(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.title : `${outcome.reason.fault}: ${outcome.reason.message}`,
    ),
  ).toEqual([
    'slow: it took more than 1.5 s',
    'first',
    'slow: it took more than 1.5 s',
    expect.stringMatching(/^large: /),
    'lost: the thread ended',
    'failed: nested too deeply',
    'last',
  ])
})

it('takes back what nobody wants any more, whether it waits or runs', async () => {
  const run = createThreads({ timeMs: 60_000, heapMb: 64, program: obedient })
  const stop = { running: new AbortController(), waiting: new AbortController() }
  const running = run('readHtml', { html: 'held', url: URL }, { signal: stop.running.signal })
  const waiting = run('readHtml', { html: 'held', url: URL }, { signal: stop.waiting.signal })
  const next = run('readHtml', { html: 'next', url: URL })
  stop.waiting.abort(new Error('not that one'))
  await expect(waiting).rejects.toThrow('not that one')
  stop.running.abort(new Error('nor that'))
  await expect(running).rejects.toThrow('nor that')
  expect((await next).title).toBe('next')
  await expect(
    run('readHtml', { html: 'x', url: URL }, { signal: AbortSignal.abort(new Error('late')) }),
  ).rejects.toThrow('late')
})

it('leaves a thread to the others, however much one owner asks for', async () => {
  const run = createThreads({ threads: 2, timeMs: 60_000, heapMb: 64, program: obedient })
  const stop = new AbortController()
  const hostile = ['held', 'held', 'held'].map((text) =>
    run('readHtml', { html: text, url: URL }, { owner: 'hostile', signal: stop.signal }),
  )
  const outcomes = Promise.allSettled(hostile)
  const [one, other] = await Promise.all(
    ['one', 'other'].map((owner) => run('readHtml', { html: owner, url: URL }, { owner })),
  )
  expect([one?.title, other?.title]).toEqual(['one', 'other'])
  stop.abort()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})
