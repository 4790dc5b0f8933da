import { expect, test } from 'vitest'
import { gather } from './gather'

/** A gatherer whose runs end when the test says so. */
function held(options: { most?: number; mostSize?: number; mostWaiting?: number } = {}) {
  const runs: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = []
  const give = gather<string, string>({
    ...{ most: 100, sizeOf: ({ length }) => length, ...options },
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject })
      }),
  })
  return { runs, give }
}

test('one that comes alone is worked on at once; what comes meanwhile shares the next run', async () => {
  const { runs, give } = held()
  const first = give('a')
  const others = ['b', 'c', 'd'].map(give)
  expect(runs.map(({ items }) => items)).toEqual([['a']])
  runs[0]?.end()
  expect(await first).toBe('A')
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']])
  runs[1]?.end()
  expect(await Promise.all(others)).toEqual(['B', 'C', 'D'])
})

test('a run that fails fails for those in it, and the next one goes on', async () => {
  const { runs, give } = held()
  const first = give('a')
  const second = give('b')
  runs[0]?.fail(new Error('no luck'))
  await expect(first).rejects.toThrow('no luck')
  runs[1]?.end()
  expect(await second).toBe('B')
})

test('a run takes so many, and so much, at most; and one that is larger alone', async () => {
  const { runs, give } = held({ most: 2, mostSize: 4 })
  const all = ['a', 'b', 'c', 'd', 'long one', 'ee', 'fff'].map(give)
  for (let count = 0; count < 6; count++) {
    runs[count]?.end()
    await Promise.resolve()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d'], ['long one'], ['ee'], ['fff']])
})

test('what is too much to wait is refused', async () => {
  const { runs, give } = held({ mostWaiting: 4 })
  const first = give('a')
  const second = give('bbb')
  await expect(give('cc')).rejects.toMatchObject({ code: 'overloaded' })
  runs[0]?.end()
  await first
  runs[1]?.end()
  await second
  const third = give('cc')
  runs[2]?.end()
  expect(await third).toBe('CC')
})

test('what comes to exactly the size of a run is one run', async () => {
  const { runs, give } = held({ mostSize: 4 })
  const all = ['a', 'bb', 'cc'].map(give)
  for (let count = 0; count < 2; count++) {
    runs[count]?.end()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['bb', 'cc']])
})
