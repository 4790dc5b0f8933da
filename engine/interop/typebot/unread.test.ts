import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { typebotFiles, typebotSource } from '../../../tests/support/typebot'
import { createCountingIds } from '../../flow/ids'
import { type Fields, isFields } from '../fields'
import { importFlow } from '../importFlow'
import { watchReads } from './unread'

test('what was read, what is empty, and what holds a file together is not unread', () => {
  const { watched, unread } = watchReads({ id: 'b', outgoingEdgeId: 'e', read: 1, left: 2, off: false, none: [] })
  expect([watched.read, [...unread()]]).toEqual([1, ['left']])
})

test('objects that were gone into are accounted for, others are read as a whole', () => {
  const block = {
    list: [{ a: 1, b: 2 }, { b: 3 }],
    whole: { c: 4 },
    inner: { d: { e: 5, f: 6 }, g: { isEnabled: false } },
  }
  const { watched, unread } = watchReads(block)
  expect([watched.list.map(({ a }) => a), watched.whole, watched.inner.d.e]).toEqual([[1, undefined], { c: 4 }, 5])
  expect([...unread()]).toEqual(['b', 'f'])
})

test('a part that was only asked whether it is on counts as read: the importer says what becomes of it', () => {
  const { watched, unread } = watchReads({ sound: { isEnabled: true, to: 'x' } })
  expect([watched.sound.isEnabled, [...unread()]]).toEqual([true, []])
})

/** Adds a unique setting to every object of a block that is not switched off, by name and path. */
function plant(value: unknown, path: string, planted: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => plant(item, path, planted))
  if (!isFields(value) || value.isEnabled === false) return value
  const name = `unheard${planted.size}`
  planted.set(name, path)
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    plant(field, path ? `${path}.${key}` : key, planted),
  ])
  return { ...Object.fromEntries(fields), [name]: 'of' }
}

test.each(typebotFiles())('%s: a setting that nobody knows is noted wherever it stands', (name) => {
  const file = JSON.parse(typebotSource(name)) as { groups: { title: string; blocks: Fields[] }[] }
  for (const group of file.groups) {
    for (const [at, block] of group.blocks.entries()) {
      const planted = new Map<string, string>()
      const changed = { ...group, blocks: group.blocks.with(at, plant(block, '', planted) as Fields) }
      const groups = file.groups.map((each) => (each === group ? changed : each))
      const { report } = importFlow(JSON.stringify({ ...file, groups }), registry, createCountingIds('new'))
      // a placeholder keeps everything
      if (report.placeholders.some(({ type, places }) => type === block.type && places.includes(group.title))) continue
      const said = report.notes.map(({ message }) => message).join()
      // a part that is dropped as a whole is noted by its own name
      const lost = [...planted].filter(([setting, path]) => {
        const names = [setting, ...path.split('.')]
        return !names.some((each) => said.includes(`'${each}'`))
      })
      expect(lost.map(([, path]) => `${block.type}: ${path}`)).toEqual([])
    }
  }
})
