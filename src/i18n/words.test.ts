import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'

/** Checks the interface's terms: retired words don't come back, and one thing has one name everywhere. */
const root = join(import.meta.dirname, '../..')
const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
const files = [...under('src/i18n/en'), ...under('blocks').filter((file) => file.endsWith('/en.json'))]
const texts = new Map<string, string>()
for (const file of files) {
  const name = file.startsWith('blocks')
    ? (file.split('/')[1] ?? '')
    : (file.split('/').at(-1) ?? '').replace('.json', '')
  collect(JSON.parse(readFileSync(join(root, file), 'utf8')), `${name}:`)
}

function collect(node: unknown, key: string): void {
  if (typeof node === 'string') texts.set(key, node)
  else
    for (const [part, value] of Object.entries(node as object))
      collect(value, key.endsWith(':') ? key + part : `${key}.${part}`)
}

describe('a retired word stands in no text', () => {
  const retired: [word: string, pattern: RegExp][] = [
    ['an output is no exit', /\bexits?\b/i],
    ['a conversation continues at an output, it does not leave by it', /\bleaves? by\b|\bleads? on\b/i],
    ['continue, not go on', /\bgo(es)? on\b|\bwent on\b/i],
    ['per line, not a line', /\bone a line\b|\beach one a line\b/i],
    ['data sources, not knowledge base', /knowledge base/i],
    ['evaluations, not test questions', /test questions?/i],
    ['tests are saved, not kept', /keep as (a )?test|kept as (a )?test/i],
    ['the draft is previewed, not tested', /\brun the test\b|\btest your draft\b|\bthe test is\b|\blive test\b/i],
    ['undone, not taken back', /\btaken? back\b/i],
    ['re-sync, not read again', /\bread again\b/i],
    ['otherwise, not any other option', /\bany other option\b/i],
    ['no matches, not nothing says or matches', /\bnothing (says|matches)\b|\bno \w+ matches “/i],
    ['the server is asked in live mode, not for real', /\bact for real\b/i],
    ['unlimited, not without a bound', /\bno bound\b/i],
    ['maximum, not most', /\bmost (pages|files|characters|mb)\b|\bfewest\b/i],
    ['Cc and Bcc', /\bblind copy\b/i],
    ['only, not alone', /\b(alone)\b/i],
  ]
  test.each(retired)('%s', (_, pattern) => {
    expect([...texts].filter(([, text]) => pattern.test(text)).map(([key, text]) => `${key} ${text}`)).toEqual([])
  })
})

test.each([
  ['builder:connect.whichPort', 'Connect from which output?'],
  ['builder:publish.unpublishConfirm', 'Unpublish'],
  ['builder:find.nothing', 'No matches for “{{text}}”'],
  ['contact:face.blank.create', 'Choose how to identify the contact'],
  ['http-request:fields.mapping-path.label', 'Path or header name'],
  ['buttons:fields.multiple.label', 'Allow multiple choices'],
  ['set-variable:fields.mode.options.expression', 'Calculate'],
  ['set-variable:fields.mode.options.take-first', 'Remove first item'],
  ['http-request:fields.url.help', 'Variables are URL-encoded for you.'],
  ['sources:resync.label', 'Re-sync'],
  ['sources:resync.never', 'Manual'],
  ['newSource:links.include', 'Include URLs'],
  ['newSource:links.exclude', 'Exclude URLs'],
  ['builder:publish.never', 'Publish to make this version live.'],
  ['versions:summary.none', 'No unpublished changes'],
  ['builder:publish.tests_one', '{{count}} test no longer passes.'],
  ['ai-answer:fields.temperature.help', '0 is consistent, 1 is more varied.'],
  ['builder:categories.other', 'Actions'],
])('%s says it as every product does', (key, text) => {
  expect(texts.get(key)).toBe(text)
})

test.each([
  ['Preview', ['builder:header.test', 'builder:preview.label', 'preview:title', 'instructions:sides.test']],
  ['Tests', ['builder:panels.tests', 'builder:rail.tests', 'tests:title']],
  ['Evaluations', ['app:nav.evaluations', 'evaluations:title']],
  ['Playground', ['app:nav.playground', 'playground:title']],
  ['Data sources', ['app:nav.knowledge', 'sources:title', 'newSource:back', 'ai-answer:openKnowledge']],
  ['Versions', ['builder:panels.versions', 'versions:title', 'instructions:history.open']],
])('%s is called the same everywhere', (name, keys) => {
  expect(keys.map((key) => texts.get(key))).toEqual(keys.map(() => name))
})

test('a text names the output of a block as the block does', () => {
  const buttons = registry.get('buttons')
  const labels = buttons.ports(buttons.defaults(() => 'id')).map(({ label }) => label)
  expect(labels).toContain('Otherwise')
  expect(texts.get('buttons:fields.list-variableId.help')).toContain('“Otherwise”')
})

test('the help of a kind is one text, whoever shows it', () => {
  for (const { kind, help } of registry.kinds) expect([kind, texts.get(`${kind}:help`)]).toEqual([kind, help])
})

test('occurred is spelt wrong only where SPEC.md 8 has it so', () => {
  const sources = ['src', 'server', 'engine', 'blocks']
    .flatMap(under)
    .filter((file) => /\.(tsx?|mjs|json)$/.test(file) && !/\.test\.tsx?$/.test(file))
  const wrong = sources.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /occured/i.test(line.replaceAll('An error occured!', '')))
      .map((line) => `${file} ${line.trim()}`),
  )
  expect(wrong).toEqual([])
})
