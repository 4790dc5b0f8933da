import { expect, test } from 'vitest'
import { fetchLinksAhead, isFetchingAhead, mayFetchAhead } from './fetchAhead'

test('nothing is fetched ahead offline, on 2g, and by who saves data', () => {
  const on = (connection?: { saveData?: boolean; effectiveType?: string }) =>
    mayFetchAhead({ onLine: true, ...(connection && { connection }) })
  expect([on(), on({ effectiveType: '4g' }), on({ effectiveType: '3g', saveData: false })]).toEqual([true, true, true])
  expect([on({ effectiveType: '2g' }), on({ effectiveType: 'slow-2g' }), on({ saveData: true })]).toEqual([
    ...[false, false, false],
  ])
  expect(mayFetchAhead({ onLine: false, connection: { effectiveType: '4g' } })).toBe(false)
})

/** A page with links whose screens say when they are fetched. */
function page(line: { onLine: boolean; connection?: { saveData?: boolean } }) {
  const listeners = new Map<string, (event: Event) => void>()
  const fetched: string[] = []
  let onLink: (link: Element) => Promise<void> = async () => {}
  let watched = true
  let fails = false
  const screen = (name: string) =>
    Object.assign(async () => ({}), {
      ahead: async () => {
        fetched.push(name)
        if (fails) throw new Error('gone')
      },
    })
  const end = fetchLinksAhead(
    [
      { path: '/projects', lazy: screen('projects') },
      { path: '/projects/:pgid', children: [{ path: 'members', lazy: screen('members') }] },
    ],
    {
      root: {
        addEventListener: (event: string, listener: unknown) =>
          void listeners.set(event, listener as (event: Event) => void),
        removeEventListener: (event: string) => void listeners.delete(event),
      },
      line,
      watch: (given) => {
        onLink = given
        return () => {
          watched = false
        }
      },
    },
  )
  const linkTo = (href: string, attributes: string[] = []) =>
    ({ getAttribute: () => href, hasAttribute: (name: string) => attributes.includes(name) }) as unknown as Element
  return {
    isWatched: () => watched,
    show: (href: string, attributes: string[] = []) => onLink(linkTo(href, attributes)),
    fetched,
    end,
    listeners,
    fail: (value: boolean) => {
      fails = value
    },
    async point(href: string, attributes: string[] = []) {
      const link = linkTo(href, attributes)
      listeners.get('pointerover')?.({ target: { closest: () => link } } as unknown as Event)
      await Promise.resolve()
      await new Promise((done) => setImmediate(done))
    },
  }
}

test('pointing at a link fetches its screen once; other sites, downloads and unknown addresses fetch nothing', async () => {
  const { point, fetched, end, listeners } = page({ onLine: true })
  await point('/projects/p1/members?tab=all#top')
  await point('/projects/p2/members')
  await point('https://example.com/projects')
  await point('/projects', ['download'])
  await point('/nowhere')
  expect(fetched).toEqual(['members'])
  await point('/projects')
  expect(fetched).toEqual(['members', 'projects'])
  end()
  expect(listeners.size).toBe(0)
})

test('what could not be fetched is tried again, and who saves data is spared', async () => {
  const { point, fetched, fail } = page({ onLine: true })
  fail(true)
  await point('/projects')
  expect([fetched.length, isFetchingAhead()]).toEqual([1, false])
  fail(false)
  await point('/projects')
  await point('/projects')
  expect(fetched.length).toBe(2)
  const saving = page({ onLine: true, connection: { saveData: true } })
  await saving.point('/projects')
  expect(saving.fetched).toEqual([])
})

test('a link in view fetches its screen once, unless it was pointed at; who saves data is spared', async () => {
  const { show, point, fetched, fail, end, isWatched } = page({ onLine: true })
  fail(true)
  await show('/projects/p1/members')
  fail(false)
  await show('/projects/p2/members')
  await show('/projects/p1/members')
  expect(fetched).toEqual(['members', 'members'])
  await point('/projects')
  await show('/projects')
  await show('https://example.com/projects')
  await show('/projects', ['download'])
  expect(fetched).toEqual(['members', 'members', 'projects'])
  end()
  expect(isWatched()).toBe(false)
  for (const line of [{ onLine: false }, { onLine: true, connection: { saveData: true } }]) {
    const saving = page(line)
    await saving.show('/projects')
    expect(saving.fetched).toEqual([])
  }
})
