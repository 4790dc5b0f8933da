import { expect, test } from 'vitest'
import type { StartEvent } from '../../engine/flow/conversation'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import { newSession, turn } from '../../engine/run/turn'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { pageOpened } from './block'
import { matchesPage } from './matchPage'
import { type PageOpenedData, type PageRule, pageOpenedDefaults } from './schema'

const fits = (rule: PageRule['rule'], url: string, page: string) => matchesPage({ id: 'x', rule, url }, page)

test.each<[PageRule['rule'], string, string[], string[]]>([
  [
    'is',
    'https://a.example/pricing',
    ['https://a.example/pricing', 'https://A.example/Pricing/', 'https://a.example/pricing?ref=x#top'],
    ['https://a.example/pricing/team', 'http://a.example/pricing', 'https://a.example/'],
  ],
  ['is', '/pricing', ['https://a.example/pricing', 'https://b.example/pricing/'], ['https://a.example/en/pricing']],
  [
    'is',
    '/search?q=tea',
    ['https://a.example/search?q=tea#x'],
    ['https://a.example/search', 'https://a.example/search?q='],
  ],
  ['is', 'a.example', ['https://a.example', 'http://a.example/'], ['https://a.example/x', 'https://b.a.example']],
  ['is', '/', ['https://a.example', 'https://a.example/?x=1'], ['', 'about:blank', 'https://a.example/x']],
  ['contains', 'PRICE', ['https://a.example/prices', 'https://a.example/?x=price'], ['https://a.example']],
  ['starts', '/docs', ['https://a.example/docs', 'https://a.example/docs/x'], ['https://a.example/x/docs']],
  ['starts', 'https://a.example/d', ['https://a.example/docs'], ['http://a.example/docs']],
  [
    'wildcard',
    '/shop/*/review',
    ['https://a.example/shop/tea/review', 'https://a.example/shop/a/b/review?x=1'],
    ['https://a.example/shop/review'],
  ],
  ['wildcard', '*.example/*tea*', ['https://a.example/green-tea/cup'], ['https://a.example/coffee']],
  ['wildcard', 'ab*ba', ['https://abba', 'https://abxba'], ['https://aba']],
  ['wildcard', '/exact', ['https://a.example/exact'], ['https://a.example/exact/more']],
  ['contains', ' ', [], ['https://a.example']],
])('a page that %s %s', (rule, url, yes, no) => {
  for (const page of yes) expect([page, fits(rule, url, page)]).toEqual([page, true])
  for (const page of no) expect([page, fits(rule, url, page)]).toEqual([page, false])
})

const data = (change: Partial<PageOpenedData> = {}): PageOpenedData => ({ ...pageOpenedDefaults(() => 'p'), ...change })
const event = (more: Partial<StartEvent>): StartEvent => ({ type: 'start', ...more })
const on = event({ url: 'https://a.example/pricing' })

test('begins on its pages alone, once a visit unless it is told otherwise', () => {
  expect(pageOpened.startsOn?.(data(), on, 'b')).toBe(true)
  expect(pageOpened.startsOn?.(data(), event({}), 'b')).toBe(false)
  expect(pageOpened.startsOn?.(data(), { ...on, begun: ['b'] }, 'b')).toBe(false)
  expect(pageOpened.startsOn?.(data(), { ...on, begun: ['other'] }, 'b')).toBe(true)
  expect(pageOpened.startsOn?.(data({ onceAVisit: false }), { ...on, begun: ['b'] }, 'b')).toBe(true)
})

test('comes before the start, keeps the page, waits its delay', () => {
  const program = createProgram(
    flowAround('page-opened', data({ delay: 20, saveUrl: 'page' }), { page: null }),
    registry,
  )
  const first = driveTurn(turn(program, newSession(program), { type: 'start', event: on }), stillRuntime)
  expect(first.session).toMatchObject({ at: { blockId: 'subject' }, request: { input: 'wait', timeout: 20 } })
  const second = driveTurn(turn(program, first.session, { type: 'reply', reply: { type: 'timeout' } }), stillRuntime)
  expect(second).toMatchObject({ session: { status: 'ended' }, variables: { page: on.url } })
})

test('entered by an edge it goes on at once, with the page that is open', () => {
  const run = runKind('page-opened', data({ delay: 20, saveUrl: 'page' }), { variables: { sys_current_url: '/now' } })
  expect(run).toMatchObject({ port: 'next', variables: { page: '/now' } })
})
