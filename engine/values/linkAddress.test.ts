import { expect, test } from 'vitest'
import type { DynamicValue } from './dynamicValue'
import { linkProblem, readLink, writeLink } from './linkAddress'
import { renderRichText } from './renderRichText'
import { type RichText, richTextSchema, richTextVariables } from './richText'

const variable = (variable_id: string, path?: string) => ({
  type: 'variable' as const,
  variable_id,
  ...(path !== undefined && { path }),
})
const text = (value: string) => ({ type: 'text' as const, text: value })
const dynamic = (...parts: Extract<DynamicValue, { type: 'dynamic' }>['parts']): DynamicValue => ({
  type: 'dynamic',
  parts,
})
const linked = (link: string): RichText => [{ type: 'paragraph', children: [{ text: 'here', link }] }]
const leadsTo = (link: string, variables = {}) => renderRichText(linked(link), variables)[0]?.children[0]?.link

test.each([
  ['https://a.example/x', { type: 'static', value: 'https://a.example/x' }],
  ['{{v1}}', dynamic(variable('v1'))],
  [
    'https://a.example/{{v1}}?q={{o.items[0]["a b"]}}',
    dynamic(text('https://a.example/'), variable('v1'), text('?q='), variable('o', '.items[0]["a b"]')),
  ],
  ['https://a.example/{{not an id}}/{x}', { type: 'static', value: 'https://a.example/{{not an id}}/{x}' }],
] as [string, DynamicValue][])('the address %s is read as text and variables, and written as it was', (link, value) => {
  expect(readLink(link)).toEqual(value)
  expect(writeLink(value)).toBe(link)
})

test('braces that somebody writes are no variable', () => {
  expect(readLink(writeLink({ type: 'static', value: 'https://a.example/{{v1}}' }))).toEqual({
    type: 'static',
    value: 'https://a.example/%7B%7Bv1%7D%7D',
  })
})

test('a text reads the variables of its links', () => {
  expect(richTextVariables(linked('https://{{host}}/{{o.id}}'))).toEqual(['host', 'o'])
})

test('a value is one component of the address, the whole of it at its beginning, and stays an address in a mail', () => {
  const variables = { v: 'a b&c/d', all: 'https://b.example/x?y=1', mail: 'ada+x@b.example', o: { id: 7 } }
  expect(leadsTo('https://a.example/?q={{v}}&id={{o.id}}', variables)).toBe('https://a.example/?q=a%20b%26c%2Fd&id=7')
  expect(leadsTo('{{all}}', variables)).toBe('https://b.example/x?y=1')
  expect(leadsTo('mailto:{{mail}}?subject={{v}}', variables)).toBe('mailto:ada+x@b.example?subject=a%20b%26c%2Fd')
})

test.each(['javascript:alert(1)', ' JAVAscript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', '', null])(
  'a link that turns out to lead to %j is no link: its text stays',
  (value) => {
    expect(renderRichText(linked('{{v}}'), { v: value })).toEqual([{ type: 'paragraph', children: [{ text: 'here' }] }])
  },
)

test('an address that came past the schema is looked at too', () => {
  expect(leadsTo('javascript:alert(1)')).toBeUndefined()
})

test.each([
  ['https://a.example', true],
  ['mailto:a@b.example', true],
  ['tel:+49123', true],
  ['{{v}}', true],
  ['https://{{v}}', true],
  ['javascript:{{v}}', false],
  ['javascript:x', false],
  ['example.org', false],
  [`https://${'a'.repeat(2_040)}`, true],
  [`https://${'a'.repeat(2_040)}{{v}}`, true],
  [`https://${'a'.repeat(2_041)}`, false],
])('whether %.40s may be stored is %s', (link, allowed) => {
  expect(richTextSchema(100).safeParse(linked(link)).success).toBe(allowed)
  expect(linkProblem(readLink(link)) === null).toBe(allowed)
})

test('addresses of a large value do not fill the memory', () => {
  const content = Array.from({ length: 500 }, (_, at) => linked(`https://a.example/${at}/{{v}}`)).flat()
  const length = JSON.stringify(renderRichText(content, { v: 'x'.repeat(30_000) })).length
  expect(length).toBeLessThan(200_000)
})
