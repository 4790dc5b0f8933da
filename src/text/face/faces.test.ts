import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { createCountingIds } from '../../../engine/flow/ids'
import { staticValue } from '../../../engine/values/dynamicValue'
import text from '../../i18n/en/text.json'
import { type BlockFace, type FaceNames, faceMetrics } from '../../ui/blockFace'
import { readPath } from '../form/path'
import { listCardTexts } from './cardTexts'
import { chipOf, countLines, countRichTextLines } from './countLines'

const faces = import.meta.glob<BlockFace>('../../../blocks/*/face.tsx', { eager: true, import: 'face' })

/** The interface's texts as `t` finds them, without plurals. */
const files = import.meta.glob('../../../blocks/*/en.json', { eager: true, import: 'default' })
const kindTexts = Object.fromEntries(Object.entries(files).map(([path, own]) => [path.split('/').at(-2), own]))
const textOf = (key: string): string =>
  String(key.startsWith('text:') ? readPath(text, key.slice(5).split('.')) : readPath(kindTexts, key.split('.')))

const namesFrom = (byId: Readonly<Record<string, string>>): FaceNames => ({
  variable: (id) => byId[id] ?? null,
  group: () => null,
  text: textOf,
})
const noNames = namesFrom({})

test.each(registry.kinds.map((kind) => [kind.kind, kind] as const))(
  'the face of %s has a whole height, and its rows lie in it',
  (name, kind) => {
    const face = faces[`../../../blocks/${name}/face.tsx`]
    const data = kind.defaults(createCountingIds('i'))
    const height = face?.height(data, noNames) ?? 0
    expect(height).toBeGreaterThan(0)
    expect(Number.isInteger(height)).toBe(true)
    const rows = face?.rows?.(data, noNames) ?? []
    expect(rows.every(({ y }) => y > 0 && y < height)).toBe(true)
    const named = kind.ports(data).flatMap(({ row }) => row ?? [])
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(named))
  },
)

test.each(registry.kinds.map((kind) => [kind.kind, kind] as const))(
  'the texts that are edited on the card of %s are in its data, the rich ones as rich texts',
  (name, kind) => {
    const data = kind.defaults(createCountingIds('i')) as Record<string, unknown>
    const texts = faces[`../../../blocks/${name}/face.tsx`]?.texts?.(data as never) ?? []
    expect(new Set(texts.map(({ key }) => key)).size).toBe(texts.length)
    expect(texts.filter(({ path }) => readPath(data, path.split('.')) === undefined)).toEqual([])
    expect(kind.richTexts ?? []).toEqual(expect.arrayContaining(texts.flatMap(({ rich, path }) => (rich ? path : []))))
  },
)

test.each([
  ['form', {}, ['prompt', 'fields.0.label', 'fields.1.label', 'submitLabel']],
  ['satisfaction', { answer: 'single' }, ['prompt', 'options.0.label', 'options.1.label']],
  ['satisfaction', { answer: 'rating', scale: 'text' }, ['prompt', 'levels.0.label', 'levels.4.label']],
  ['carousel', {}, ['items.0.title', 'items.0.buttons.0.label', 'items.1.title', 'items.1.buttons.0.label']],
  ['send-email', { to: [{ id: 't', address: staticValue('a@b.example') }] }, ['subject']],
  ['send-email', {}, []],
  ['hand-off', {}, ['team']],
  ['intent', {}, ['name']],
  ['ai-extract', {}, ['fields.0.name']],
  ['text-input', { quickReplies: [{ id: 'q', label: staticValue('Yes') }] }, ['prompt', 'quickReplies.0.label']],
] as const)('what a card of %s shows in words is edited on it', (name, change, paths) => {
  const defaults = registry.get(name).defaults(createCountingIds('i')) as object
  const asked = 'prompt' in defaults && { prompt: [{ type: 'paragraph', children: [{ text: 'Well?' }] }] }
  const data = { ...defaults, ...asked, ...change }
  const texts = faces[`../../../blocks/${name}/face.tsx`]?.texts?.(data as never) ?? []
  expect(texts.filter(({ hidden }) => !hidden).map(({ path }) => path)).toEqual(paths)
})

test('an option is added behind the one that is edited, and taken away as far as some are needed', () => {
  const items = ['a', 'b'].map((id) => ({ id, label: staticValue(id) }))
  const texts = (most: number, fewest: number) =>
    listCardTexts({ name: 'options', items, most, fewest, create: (id) => ({ id, label: staticValue('') }) })
  const [first, second] = texts(3, 1)
  const added = first?.item?.add?.(() => 'new')
  expect(added?.key).toBe('new')
  expect(added?.patch).toEqual({ options: [items[0], { id: 'new', label: staticValue('') }, items[1]] })
  expect(second?.item?.remove?.().patch).toEqual({ options: [items[0]] })
  expect(texts(2, 2).map(({ item }) => [item?.add, item?.remove])).toEqual([
    [null, null],
    [null, null],
  ])
})

test('each branch of a condition has its handle at the middle of its row, however many lines it takes', () => {
  const face = faces['../../../blocks/condition/face.tsx']
  const long = {
    variableId: 'v',
    operator: 'equals',
    value: { type: 'static', value: 'a value of many words '.repeat(5) },
  }
  const branches = ['one', 'two', 'three'].map((id, index) => ({
    id,
    match: 'all',
    comparisons: index === 1 ? [{ id: 'c', ...long }] : [],
  }))
  const height = face?.height({ branches }, namesFrom({ v: 'Answer' })) ?? 0
  const ys = (face?.rows?.({ branches }, namesFrom({ v: 'Answer' })) ?? []).map(({ y }) => y)
  expect(ys).toEqual([14, 66, 118])
  expect(height).toBe(132)
})

test('lines are counted by words, long words break, and the count stops at the most', () => {
  expect(countLines('', 3)).toBe(1)
  expect(countLines('short', 3)).toBe(1)
  expect(countLines('one\ntwo', 3)).toBe(2)
  expect(countLines('word '.repeat(12), 9, 110)).toBe(4)
  expect(countLines('m'.repeat(20), 9, 100)).toBe(3)
  expect(countLines(chipOf('Customer').repeat(2), 9, 100)).toBe(2)
  expect(countLines('many '.repeat(5000), 6)).toBe(6)
})

test('an item of a list wraps earlier, the deeper the earlier', () => {
  const words = 'word '.repeat(11)
  const item = (level?: number) => ({ type: 'paragraph' as const, list: 'bullet' as const, ...(level && { level }) })
  const lines = (place: object) =>
    countRichTextLines([{ type: 'paragraph', ...place, children: [{ text: words }] }], 9, () => null)
  expect([lines({}), lines(item()), lines(item(3))]).toEqual([3, 3, 4])
  expect(countRichTextLines(Array(9).fill({ ...item(), children: [{ text: 'a' }] }), 6, () => null)).toBe(6)
})

test('a chip counts as wide as its name, up to where it is cut, and never wider than the line', () => {
  const lines = (name: string | null, available: number) => countLines(`${chipOf(name)} is here`, 9, available)
  expect([lines('City', 90), lines('City of birth', 90)]).toEqual([1, 2])
  expect([lines('City of birth', 140), lines('m'.repeat(60), 140), lines('m'.repeat(60), 220)]).toEqual([1, 2, 1])
  expect([lines(null, 204), lines(null, 130)]).toEqual([1, 2])
  expect(countLines(chipOf('m'.repeat(60)), 9, 100)).toBe(1)
  expect(countLines(`to ${chipOf('m'.repeat(200))}${chipOf('i'.repeat(200))}`, 9)).toBe(2)
})

test('a chip stays on the line of the punctuation behind it, and a part of a variable and a lock take room', () => {
  const fits = (text: string) =>
    Array.from({ length: 200 }, (_, at) => at + 20).find((wide) => countLines(text, 9, wide) === 1)
  const plain = fits(`a ${chipOf('City')}`) ?? 0
  expect(fits(`a ${chipOf('City')},`)).toBeGreaterThan(plain)
  expect(fits(`a ${chipOf('City', '.name')}`)).toBeGreaterThan(plain + 20)
  expect(fits(`a ${chipOf('secret.City')}`)).toBeGreaterThan(plain + 40)
})

test('a text with a short name takes no line more than its words need, one with a long name does, and a rename changes it', () => {
  const content = [
    {
      type: 'paragraph',
      children: [{ text: 'What we know of ' }, { text: '', variable: true, variable_id: 'v' }, { text: ' is new' }],
    },
  ]
  const lines = (kind: string, data: object, name: string) =>
    (faces[`../../../blocks/${kind}/face.tsx`]?.height(data as never, namesFrom({ v: name })) ?? 0) / faceMetrics.line
  const value = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
  const setting = { mode: 'set', variableId: 'v', takeTo: null, value }
  expect([lines('text', { content }, 'Al'), lines('text', { content }, 'Date of the last order')]).toEqual([1, 2])
  expect(
    lines('text', { content: [{ type: 'paragraph', children: [{ text: 'What we know of Al is new' }] }] }, ''),
  ).toBe(1)
  expect([lines('set-variable', setting, 'Al'), lines('set-variable', setting, 'Date of the last order')]).toEqual([
    1, 2,
  ])
})

test('the words of a sentence count as they are in the language of the interface', () => {
  const value = staticValue('red')
  const lines = (kind: string, data: object, say = (sentence: string) => sentence) => {
    const names = {
      ...namesFrom({ v: 'City' }),
      text: (key: string) => (key.includes('.keys.') ? textOf(key) : say(textOf(key))),
    }
    return (faces[`../../../blocks/${kind}/face.tsx`]?.height(data as never, names) ?? 0) / faceMetrics.line
  }
  const wordy = (sentence: string) => `${sentence}, as it is said at some length elsewhere`
  for (const [kind, data] of [
    ['set-variable', { mode: 'set', variableId: 'v', takeTo: null, value }],
    ['set-variable', { mode: 'clear', variableId: 'v', takeTo: null, value }],
    ['redirect', { url: staticValue('https://a.example'), newTab: false }],
    ['hand-off', { team: staticValue('Sales'), message: [] }],
    ['contact', { action: 'get', key: 'phone', keyValue: staticValue('1'), fields: [], outputs: [] }],
    ['send-email', { to: [{ id: 'a', address: staticValue('a@b.example') }], subject: value }],
  ] as const)
    expect(lines(kind, data, wordy), kind).toBeGreaterThan(lines(kind, data))
})

test('the handles of a condition move with the names in it', () => {
  const face = faces['../../../blocks/condition/face.tsx']
  const value = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'w' }] }
  const branches = ['one', 'two'].map((id) => ({
    id,
    match: 'all',
    comparisons: [{ id: 'c', variableId: 'v', operator: 'equals', value }],
  }))
  const ys = (v: string) => face?.rows?.({ branches }, namesFrom({ v, w: 'Town' }))?.map(({ y }) => y)
  expect(ys('City')).toEqual([14, 46])
  expect(ys('The place one was born')).toEqual([24, 76])
})
