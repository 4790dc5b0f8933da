import { expect, test } from 'vitest'
import { applied, mutantsOf } from './mutants.mjs'

/** What a line may become. */
const changesOf = (source: string) => mutantsOf('a.ts', source).map((mutant) => applied(source, mutant))

test('a condition is made always true, always false, and moved by one at its boundary', () => {
  expect(changesOf('if (used > most) stop')).toEqual(
    expect.arrayContaining(['if (true) stop', 'if (false) stop', 'if (used >= most) stop']),
  )
})

test('either side of a condition is dropped, and what joins them is exchanged', () => {
  expect(changesOf('const both = a && b')).toEqual(['const both = a', 'const both = b', 'const both = a || b'])
})

test('a query loses a condition, and compares otherwise', () => {
  const source = "db.deleteFrom('rows').where('project_id', '=', id).execute()"
  const changes = changesOf(source)
  expect(changes).toContain("db.deleteFrom('rows').execute()")
  expect(changes).toContain("db.deleteFrom('rows').where('project_id', '!=', id).execute()")
  const written = 'sql`DELETE FROM rows WHERE a = ' + '$' + '{a} AND b < 5`'
  expect(changesOf(written)).toEqual(
    expect.arrayContaining([written.replace(' AND ', ' OR '), written.replace(' < ', ' <= ')]),
  )
})

test('a small number becomes the next one, a large one ten times as much', () => {
  expect(changesOf('const calls = 5')).toEqual(['const calls = 6'])
  expect(changesOf('const bytes = 4_096')).toEqual(['const bytes = 40960'])
})

test('a pattern loses its ends', () => {
  expect(changesOf('const file = /^a$/')).toEqual(['const file = /^a/', 'const file = /a$/'])
})

test('statements, awaits, properties and what is done at last go away', () => {
  expect(changesOf('await save()')).toEqual(expect.arrayContaining([';', 'save()']))
  expect(changesOf('send({ url, secretHeaders: names })')).toEqual(
    expect.arrayContaining(['send({  secretHeaders: names })', 'send({ url,  })']),
  )
  expect(changesOf('try { work } finally { settle() }')).toContain('try { work } finally {}')
})

test('types, imports, texts and what is only logged stay as they are', () => {
  const source = `import { a } from 'a'
interface Most { calls: 5 | 6 }
type Flag = true | false
const text = 'five' + name
log.warn({ most: 5 }, 'too many')`
  expect(changesOf(source)).toEqual([])
})

test('a change says on which line and in which function it is made', () => {
  const source = 'export function pay() {\n  return rows.map((row) => row.used + 1)\n}\nconst most = 1'
  expect(mutantsOf('a.ts', source).map(({ line, within, from, to }) => [line, within, from, to])).toEqual([
    [2, 'pay', 'rows.map((row) => row.used + 1)', 'undefined'],
    [2, 'pay', 'row.used + 1', 'undefined'],
    [2, 'pay', '+', '-'],
    [2, 'pay', '1', '2'],
    [4, null, '1', '2'],
  ])
})
