import { expect, test } from 'vitest'
import { createHearing, type Locks } from './hearing'

/** Locks as browsers give them: in the order of asking, several at once where all share. */
function createLocks(): Locks {
  const queue: { shared: boolean; isHeld: boolean; run: () => void }[] = []
  const mayRun = (at: number) =>
    at === 0 || (queue[at]?.shared === true && queue.slice(0, at).every(({ shared }) => shared))
  const look = () => {
    for (const [at, one] of queue.entries())
      if (!one.isHeld && mayRun(at)) {
        one.isHeld = true
        one.run()
      }
  }
  const request = (
    _: string,
    { mode = 'exclusive', ifAvailable = false, signal }: LockOptions,
    run: (lock: Lock | null) => unknown,
  ) =>
    new Promise((resolve, reject) => {
      const shared = mode === 'shared'
      const entry = {
        ...{ shared, isHeld: false },
        run() {
          void Promise.resolve(run({ name: '', mode })).then((result) => {
            queue.splice(queue.indexOf(entry), 1)
            resolve(result)
            look()
          })
        },
      }
      if (ifAvailable && !(queue.length === 0 || (shared && queue.every((one) => one.shared)))) {
        void Promise.resolve(run(null)).then(resolve)
        return
      }
      queue.push(entry)
      signal?.addEventListener('abort', () => {
        if (entry.isHeld) return
        queue.splice(queue.indexOf(entry), 1)
        reject(signal.reason)
        look()
      })
      look()
    })
  return { request } as unknown as Locks
}

function open(locks: Locks | undefined, hidden = false) {
  const page = { hidden, hears: false, changes: 0 }
  const hearing = createHearing('news', { isHidden: () => page.hidden, locks }, (isHearing) => {
    page.hears = isHearing
    page.changes++
  })
  hearing.look()
  return Object.assign(page, {
    show(isShown: boolean) {
      page.hidden = !isShown
      hearing.look()
    },
    leave: hearing.leave,
  })
}
/** All that waits on promises alone has been done. */
const settled = () => new Promise((done) => setTimeout(done))
const hearing = async (...pages: { hears: boolean }[]) => {
  await settled()
  return pages.map(({ hears }) => hears)
}

test('a page that is looked at hears, and goes on without a gap when it is hidden alone', async () => {
  const page = open(createLocks())
  expect(await hearing(page)).toEqual([true])
  page.show(false)
  expect(await hearing(page)).toEqual([true])
  page.show(true)
  expect(await hearing(page)).toEqual([true])
  expect(page.changes).toBe(1)
})

test('hidden pages hear nothing while another is looked at; then one of them does', async () => {
  const locks = createLocks()
  const pages = [open(locks), open(locks, true), open(locks, true)] as const
  expect(await hearing(...pages)).toEqual([true, false, false])
  pages[0].show(false)
  expect((await hearing(...pages)).filter(Boolean)).toHaveLength(1)
})

test('where the one that hears is closed, another takes its place', async () => {
  const locks = createLocks()
  const pages = [open(locks, true), open(locks, true)] as const
  expect(await hearing(...pages)).toEqual([true, false])
  pages[0].leave()
  expect(await hearing(...pages)).toEqual([false, true])
})

test('changing between two pages leaves the one that is looked at hearing, and the other not', async () => {
  const locks = createLocks()
  const pages = [open(locks), open(locks, true)] as const
  await settled()
  pages[0].show(false)
  pages[1].show(true)
  expect(await hearing(...pages)).toEqual([false, true])
  pages[1].show(false)
  pages[0].show(true)
  expect(await hearing(...pages)).toEqual([true, false])
})

test('without locks a page hears while it is looked at', async () => {
  const page = open(undefined)
  expect(await hearing(page)).toEqual([true])
  page.show(false)
  expect(await hearing(page)).toEqual([false])
})
