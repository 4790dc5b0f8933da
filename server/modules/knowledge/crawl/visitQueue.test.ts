import { expect, it } from 'vitest'
import type { Visit } from './visitPage'
import { createVisitQueue } from './visitQueue'

const visit = (id: string): Visit => ({
  page: { id, url: `https://a.example/${id}`, key: id, depth: 0, attempts: 0 },
  read: { ok: false, code: 'empty', reason: '', passing: false },
})

it('writes what comes during a batch as the next one, and lets no more wait than there is room for', async () => {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const write = (batch: readonly Visit[]) => {
    batches.push(batch.map(({ page }) => page.id))
    return new Promise<void>((end) => ends.push(end))
  }
  const queue = createVisitQueue(write, () => 2)
  await queue.add(visit('a'))
  await queue.add(visit('b'))
  await queue.add(visit('c'))
  let isIn = false
  const fourth = queue.add(visit('d')).then(() => {
    isIn = true
  })
  await Promise.resolve()
  expect([batches, isIn]).toEqual([[['a']], false])
  ends.shift()?.()
  await fourth
  expect(batches).toEqual([['a'], ['b', 'c', 'd']])
  ends.shift()?.()
  await queue.written()
})

it('tells those who come later that a batch could not be written', async () => {
  const queue = createVisitQueue(
    () => Promise.reject(new Error('The database is away.')),
    () => 5,
  )
  await queue.add(visit('a'))
  await expect(queue.written()).rejects.toThrow('The database is away.')
  await expect(queue.add(visit('b'))).rejects.toThrow('The database is away.')
})
