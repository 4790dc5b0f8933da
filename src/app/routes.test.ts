import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { placeOf, screenPaths } from '../../server/contracts/screens'
import { routes } from './routes'

function pathsOf(route: RouteObject, base = ''): string[] {
  const path = route.path?.startsWith('/') ? route.path : [base, route.path].filter(Boolean).join('/')
  const own = route.path !== undefined && !route.children ? [path] : []
  const index = route.index ? [base] : []
  return [...own, ...index, ...(route.children ?? []).flatMap((child) => pathsOf(child, path))]
}

test('the server knows every address that the router has, and no other', () => {
  const paths = routes.flatMap((route) => pathsOf(route)).filter((path) => !path.endsWith('*'))
  const absolute = paths.map((path) => (path.startsWith('/') ? path : `/${path}`))
  expect(absolute.sort()).toEqual([...screenPaths].sort())
})

test('what a link holds in the place of an id is told from an address that nobody has', () => {
  const id = 'a'.repeat(16)
  expect(placeOf(`/projects/${id}/chatbots/${id}`, false)).toBe('screen')
  expect(placeOf(`/projects/${id}/chatbots/new`, false)).toBe('screen')
  expect(placeOf(`/projects/${id}/chatbots/null/builder`, false)).toBe('no-id')
  expect(placeOf(`/projects/${id}/chatbots/nobody/builder`, false)).toBe('unknown')
})

test.each(['subscription', 'plans', 'addons', 'bonus-credits', 'usage'])(
  'an installation without billing has no screen about plans but the usage: %s',
  (slug) => {
    const path = `/projects/${'a'.repeat(16)}/settings/billing/${slug}`
    expect(placeOf(path, true)).toBe('screen')
    expect(placeOf(path, false)).toBe(slug === 'usage' ? 'screen' : 'unknown')
  },
)
