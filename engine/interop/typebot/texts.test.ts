import { expect, test } from 'vitest'
import { richTextToString } from '../../values/richText'
import { fromHtml } from './htmlTexts'
import { fromRichTextNodes } from './richTexts'
import { splitVariables, toDynamicValue } from './texts'

function namesOf(...known: string[]) {
  const notes: string[] = []
  return {
    byName: (name: string) => (known.includes(name) ? `id-${name}` : undefined),
    note: (note: string) => notes.push(note),
    notes,
  }
}
const lines = (nodes: unknown[], names = namesOf()) =>
  richTextToString(fromRichTextNodes(nodes, names), () => '').split('\n')
const item = (...children: unknown[]) => ({ type: 'li', children })
const own = (text: string) => ({ type: 'lic', children: [{ text }] })

test('a variable is found by its name, with space around it or none', () => {
  expect(splitVariables('Hi {{ Name }}, {{Name}}', namesOf('Name'))).toEqual([
    { text: 'Hi ' },
    { variableId: 'id-Name' },
    { text: ', ' },
    { variableId: 'id-Name' },
  ])
})

test('a part of a variable is kept as its path; a name with a dot in it comes first; code stays text', () => {
  expect(splitVariables('{{order.items[0]}}{{a.b}}', namesOf('order', 'a', 'a.b'))).toEqual([
    { variableId: 'id-order', path: '.items[0]' },
    { variableId: 'id-a.b' },
  ])
  const code = "{{constructor.constructor('x')()}}"
  expect(splitVariables(code, namesOf('constructor'))).toEqual([{ text: code }])
})

test('what is no variable stays text and is noted', () => {
  const names = namesOf('Name')
  expect(splitVariables('a {{Gone}} {{=1+1=}} {{Name}} {{', names)).toEqual([
    { text: 'a {{Gone}}  ' },
    { variableId: 'id-Name' },
    { text: ' {{' },
  ])
  expect(names.notes).toEqual([
    "There is no variable 'Gone': its place in the text stays as it is.",
    "The inline code '{{=1+1=}}' can't be run here and is left out: set a variable before, by an expression.",
  ])
})

test('only the text counts toward the length of a value; the cut leaves no half character', () => {
  const names = namesOf('Name')
  expect(toDynamicValue('ab{{Name}}c😀d', 4, names)).toEqual({
    type: 'dynamic',
    parts: [
      { type: 'text', text: 'ab' },
      { type: 'variable', variable_id: 'id-Name' },
      { type: 'text', text: 'c' },
    ],
  })
  expect(names.notes).toHaveLength(1)
  expect(toDynamicValue('ab{{Name}}c😀', 5, namesOf('Name'))).toMatchObject({ parts: [{}, {}, { text: 'c😀' }] })
})

test('an empty line stays an empty paragraph, a line break makes a new one', () => {
  const paragraph = (text: string) => ({ type: 'p', children: [{ text }] })
  expect(lines([paragraph('a'), paragraph(''), paragraph('b\nc')])).toEqual(['a', '', 'b', 'c'])
})

test('lists come over as lists, those inside of them too', () => {
  const nested = { type: 'ol', children: [item(own('one')), item(own('two'))] }
  expect(lines([{ type: 'ul', children: [item(own('a')), item(own('b'), nested), item(own('c'))] }])).toEqual([
    '• a',
    '• b',
    '  1. one',
    '  2. two',
    '• c',
  ])
  const [, second] = fromRichTextNodes([{ type: 'ol', children: [item(own('a')), item(own('b\nc'))] }], namesOf())
  expect(second).toEqual({ type: 'paragraph', list: 'number', children: [{ text: 'b\nc' }] })
})

test('the lists of older HTML come over too', () => {
  const html = '<p>Take:</p><ul><li><p>a</p></li><li>b<ol><li>one</li><li>two</li></ol></li></ul>end'
  expect(richTextToString(fromHtml(html, namesOf()), () => '')).toBe('Take:\n• a\n• b\n  1. one\n  2. two\nend')
})

test('an inline variable is a chip with the marks around it', () => {
  const node = { type: 'inline-variable', value: '{{Name}}', bold: true, children: [{ text: '' }] }
  expect(fromRichTextNodes([{ type: 'p', children: [node] }], namesOf('Name'))).toEqual([
    { type: 'paragraph', children: [{ text: '', variable: true, variable_id: 'id-Name', bold: true }] },
  ])
})

test('a link that is none of the web keeps its text and is noted', () => {
  const names = namesOf()
  expect(
    lines([{ type: 'p', children: [{ type: 'a', url: 'javascript:x', children: [{ text: 'me' }] }] }], names),
  ).toEqual(['me'])
  expect(names.notes).toEqual([
    "The link to 'javascript:x' is left out: a link must start with https://, http://, mailto: or tel:, and have at most 2048 characters.",
  ])
})

test('nodes of any other shape give their text, or nothing, and never fail', () => {
  expect(
    lines([null, 5, [], { type: 7 }, { children: 'x' }, { type: 'table', children: [{ text: 'kept' }] }]),
  ).toContain('kept')
})

test('HTML gives paragraphs, marks, links and entities', () => {
  const html =
    '<div>Hi <b>you <i>two</i></b> &amp; <a href="https://a.test?x=1&amp;y=2">me</a></div><div><br></div><div>&#128512;</div>'
  expect(fromHtml(html, namesOf())).toEqual([
    {
      type: 'paragraph',
      children: [
        { text: 'Hi ' },
        { text: 'you ', bold: true },
        { text: 'two', bold: true, italic: true },
        { text: ' & ' },
        { text: 'me', link: 'https://a.test?x=1&y=2' },
      ],
    },
    { type: 'paragraph', children: [{ text: '' }] },
    { type: 'paragraph', children: [{ text: '😀' }] },
  ])
})

test.each(['<', '<b', '</b></b>', '<constructor>x', '<<b>>x', '&#0;&#x110000;&nope;', '<b '.repeat(50_000)])(
  'broken HTML %# is read as far as it goes',
  (html) => {
    expect(fromHtml(html, namesOf()).length).toBeGreaterThan(0)
  },
)

test('code in a text is left out with the names in it, a variable alone in code is that variable', () => {
  const names = namesOf('Name')
  expect(splitVariables('a {{= {{Name}} + 1 =}} b {{={{Name}}=}} {{= never closed {{Name}}', names)).toEqual([
    { text: 'a  b ' },
    { variableId: 'id-Name' },
    { text: ' {{= never closed ' },
    { variableId: 'id-Name' },
  ])
  expect(names.notes).toHaveLength(1)
})

test('tags that are nested deeper than anybody writes are closed where they were opened', () => {
  const names = namesOf()
  const html = `${'<b>'.repeat(100)}bold${'</b>'.repeat(99)} still${'</b>'} plain`
  expect(fromHtml(html, names)).toEqual([
    { type: 'paragraph', children: [{ text: 'bold', bold: true }, { text: ' still', bold: true }, { text: ' plain' }] },
  ])
})

test('three hundred thousand nested tags are read as far as a text may reach, and the rest is noted', () => {
  const names = namesOf()
  const content = fromHtml(`begin${'<div><b>'.repeat(150_000)}end`, names)
  expect(content).toEqual([{ type: 'paragraph', children: [{ text: 'begin' }] }])
  expect(names.notes).toEqual(['The text had more than 200000 characters of HTML and was cut.'])
})
