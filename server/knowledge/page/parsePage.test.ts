import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleForNode } from '../../../tests/support/bundle'
import { createPageParser } from './parsePage'
import { readHtml } from './readHtml'

const URL = 'https://lamps.example/'
const html = '<title>Lamps</title><h1>Lamps</h1><p>We sell lamps for harbours.</p>'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-worker-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A thread that answers as it is told by what it is given. */
async function thread(): Promise<string> {
  const file = join(folder, 'thread.mjs')
  const program = `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id, html }) => {
      if (html === 'endless') for (;;);
      if (html === 'crash') process.exit(3)
      if (html === 'wrong') return parentPort.postMessage({ id, error: 'nested too deeply' })
      parentPort.postMessage({ id, content: { title: html } })
    })`
  await writeFile(file, program)
  return file
}

it('reads pages in a thread as it would here', async () => {
  const { entry, remove } = await bundleForNode('server/knowledge/page/pageWorker.ts')
  const parse = createPageParser(entry)
  const read = await Promise.all([parse(html, URL), parse(html.replaceAll('amps', 'anterns'), URL)])
  expect(read[0]).toEqual(readHtml(html, URL))
  expect(read.map(({ title }) => title)).toEqual(['Lamps', 'Lanterns'])
  await remove()
})

it('refuses what takes too long, ends the thread, or fails in it, and reads the next ones', async () => {
  const parse = createPageParser(await thread(), 1_500)
  const asked = ['endless', 'first', 'crash', 'wrong', 'last'].map((text) => parse(text, URL))
  const outcomes = await Promise.allSettled(asked)
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.title : String(outcome.reason))),
  ).toEqual([
    'UnreadableHtml: it took more than 1.5 s',
    'first',
    'UnreadableHtml: the thread ended',
    'UnreadableHtml: nested too deeply',
    'last',
  ])
})
