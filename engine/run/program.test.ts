import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { StartEvent } from '../flow/conversation'
import { emptyFlow, type Flow, type Group } from '../flow/schema'
import { createProgram } from './program'

const startAt = (id: string, x: number, y: number, ...kinds: [string, object][]): Group => ({
  id,
  title: id,
  position: { x, y },
  blocks: (kinds.length > 0 ? kinds : [['start', {}] as const]).map(([kind, data], n) => ({
    id: `${kind}-${id}-${n}`,
    kind,
    version: 0,
    data: { ...data },
  })),
})
const entryOf = (groups: Group[], event: Partial<StartEvent> = {}) =>
  createProgram({ ...emptyFlow(), groups }, registry).entry({ type: 'start', ...event })?.groupId

test('of several starts the one furthest to the left begins, then the topmost: what an editor can see, not the order in the file', () => {
  expect(entryOf([startAt('right', 500, 0), startAt('left', 0, 300)])).toBe('left')
  expect(entryOf([startAt('left', 0, 300), startAt('right', 500, 0)])).toBe('left')
  expect(entryOf([startAt('low', 0, 300), startAt('high', 0, -20)])).toBe('high')
  expect(entryOf([])).toBeUndefined()
})

const page = (url: string, onceAVisit = true): [string, object] => [
  'page-opened',
  { pages: [{ id: 'p', rule: 'contains', url }], delay: 0, onceAVisit, shows: 'open', saveUrl: null },
]
const returning = (days: number): [string, object] => ['returning-user', { days, saveDays: null }]
const every = [
  startAt('start', -900, 0),
  startAt('back', 0, 0, returning(7)),
  startAt('soon', 100, 0, returning(1)),
  startAt('shop', 300, 0, page('/shop')),
  startAt('tea', 200, 50, page('/shop/tea')),
]

test.each<[string, Partial<StartEvent>, string]>([
  ['nothing is known', {}, 'start'],
  ['the visitor comes back', { awayDays: 2 }, 'soon'],
  ['two returns fit', { awayDays: 30 }, 'back'],
  ['a page fits, wherever it stands', { url: 'https://a.example/shop' }, 'shop'],
  ['a page and a return fit', { url: 'https://a.example/shop', awayDays: 30 }, 'shop'],
  ['two pages fit', { url: 'https://a.example/shop/tea' }, 'tea'],
  ['the better page began before', { url: 'https://a.example/shop/tea', begun: ['page-opened-tea-0'] }, 'shop'],
  ['no page fits', { url: 'https://a.example/', awayDays: 0 }, 'start'],
])('several triggers, and %s', (_name, event, group) => {
  expect(entryOf(every, event)).toBe(group)
  expect(entryOf(every.toReversed(), event)).toBe(group)
})

test('a trigger whose data is not valid begins nothing; an intent never does', () => {
  const broken = startAt('broken', -999, 0, ['page-opened', { pages: [] }])
  const intent = startAt('intent', -999, 0, ['intent', { ...registry.get('intent').defaults(() => 'i') }])
  expect(entryOf([broken, intent, startAt('start', 0, 0)], { url: 'https://a.example/shop' })).toBe('start')
})

test('nothing is asked for the meaning of a message unless somebody can tell it', () => {
  expect(createProgram(emptyFlow(), registry)).toMatchObject({ asksMeaning: false, classify: null })
  expect(createProgram(emptyFlow(), registry, { asksMeaning: true }).asksMeaning).toBe(true)
})

test('a transcript is kept if a block of any flow reads it, also of one that is compiled later', () => {
  const chip = { type: 'paragraph', children: [{ text: '', variable: true, variable_id: 'sys_transcript' }] }
  const silent = { ...emptyFlow(), groups: [startAt('there', 0, 0)] }
  const reader = { ...emptyFlow(), groups: [startAt('here', 0, 0, ['text', { content: [chip] }])] }
  const keeps = (main: Flow, flows: Record<string, Flow>) => createProgram(main, registry, { flows }).keepsTranscript
  expect(keeps(reader, {})).toBe(true)
  expect(keeps(silent, { silent, reader })).toBe(true)
  expect(keeps(silent, { silent })).toBe(false)
})

test('the other flows are there by their ids, and no other', () => {
  const other = { ...emptyFlow(), groups: [startAt('there', 0, 0)] }
  const program = createProgram(emptyFlow(), registry, { flows: { other } })
  expect(program.flow('other')?.entry({ type: 'start' })?.groupId).toBe('there')
  expect(program.flow('other')).toBe(program.flow('other'))
  expect(program.flow(null)?.id).toBeNull()
  for (const id of ['gone', 'toString', '__proto__']) expect(program.flow(id)).toBeNull()
})

test('a link leads to the triggers that name its text, and to none whose text is blank', () => {
  const opened = (text: string): [string, object] => [
    'link-opened',
    { ...registry.get('link-opened').defaults(() => 'l'), text, ads: true },
  ]
  const groups = [startAt('blank', 0, 0, opened(' ')), startAt('menu', 0, 90, opened(' Menu please '))]
  const { linkTexts } = createProgram({ ...emptyFlow(), groups }, registry)
  expect(linkTexts).toEqual([{ blockId: 'link-opened-menu-0', text: 'Menu please' }])
})
