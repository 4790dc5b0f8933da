import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { screenPaths } from '../../server/contracts/screens'
import { hasShared, readShared } from '../support/shared'
import { calls } from './specification/calls'
import { entities } from './specification/entities'
import { limits } from './specification/limits'
import type { Proof } from './specification/row'
import { rules } from './specification/rules'
import { screens } from './specification/screens'

/**
 * Each line of the specification with what shows that it holds: a test, a screen, a text, a value; or with what of it
 * is missing. The specification itself lies beside the repository; lines are known by their fingerprints.
 */
const rows = [...screens, ...entities, ...rules, ...calls, ...limits]
/** How many are open today. */
const OPEN = 0
const openRows = rows.filter(({ shown }) => shown.some(({ by }) => by === 'open'))

test.each(rows.map((row) => [`${row.what} (${row.prints[0]})`, row.shown] as const))('%s', (_, shown) => {
  for (const proof of shown) expect(wrongWith(proof)).toBeNull()
})

test(`${openRows.length} of ${rows.length} rows are open, in whole or in part`, () => {
  const list = openRows.flatMap(({ what, shown }) =>
    shown.flatMap((proof) => (proof.by === 'open' ? [`  ${what}: ${proof.missing}`] : [])),
  )
  process.stdout.write(`Open in the specification:\n${list.join('\n')}\n`)
  // a row that is done has to leave the list, and none may join it unseen
  expect(openRows.length).toBe(OPEN)
})

test('a row that shows nothing says why, and one that is shown does not say that it wants nothing', () => {
  for (const { shown } of rows) if (shown.some(({ by }) => by === 'nothing')) expect(shown).toHaveLength(1)
})

test('no line is in two rows', () => {
  const all = rows.flatMap(({ prints }) => prints)
  expect(all.filter((print, at) => all.indexOf(print) !== at)).toEqual([])
})

test.skipIf(!hasShared('SPEC.md'))('every line of the specification is in a row, and no row is of another', () => {
  const lines = readShared('SPEC.md')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^\|[-| ]+\|$/.test(line))
  const covered = new Set(rows.flatMap(({ prints }) => prints))
  expect(lines.filter((line) => !covered.has(printOf(line)))).toEqual([])
  const known = new Set(lines.map(printOf))
  expect(rows.filter(({ prints }) => prints.some((print) => !known.has(print))).map(({ what }) => what)).toEqual([])
})

/** @param line without blanks around it, and with single ones in it */
const printOf = (line: string): string => createHash('sha256').update(line).digest('hex').slice(0, 10)

/** @returns what a proof fails to show; null: nothing */
function wrongWith(proof: Proof): string | null {
  switch (proof.by) {
    case 'test':
      return hasTitle(proof.file, proof.title) ? null : `${proof.file} has no test “${proof.title}”`
    case 'source':
      return hasWords(proof.file, proof.words) ? null : `${proof.file} lacks “${proof.words}”`
    case 'route':
      return screenPaths.includes(proof.path) ? null : `there is no screen at ${proof.path}`
    case 'text': {
      const said = textAt(proof.key)
      return said === proof.text ? null : `${proof.key} says ${JSON.stringify(said)}`
    }
    case 'value': {
      const value = JSON.stringify(proof.read()) ?? 'undefined'
      return value === JSON.stringify(proof.wanted) ? null : `${proof.read}: ${value}`
    }
    default:
      return null
  }
}

/** A title stands in quotes, where a test or a group of tests begins, or in the table of one. */
const hasTitle = (file: string, title: string): boolean =>
  existsSync(file) &&
  readFileSync(file, 'utf8')
    .split('\n')
    .some((line) => line.includes(title) && /['"`]/.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
const hasWords = (file: string, words: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').includes(words)

function textAt(key: string): unknown {
  const [namespace = '', path = ''] = key.split(':')
  const catalog: unknown = JSON.parse(readFileSync(`src/i18n/en/${namespace}.json`, 'utf8'))
  return path.split('.').reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], catalog)
}
