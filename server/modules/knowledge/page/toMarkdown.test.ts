import { expect, test } from 'vitest'
import { TableRows } from './tableRows'
import { toMarkdown } from './toMarkdown'
import { parseTree, type TreeElement } from './tree'

const markdown = (html: string) => toMarkdown(parseTree(html).root)

test.each([
  ['headings', '<h1>Lamps</h1><h3>1. <b>Prices</b><br>of all</h3><h2> </h2>', '# Lamps\n\n### 1. **Prices** of all'],
  ['paragraphs and lines', 'a<p>b<br>c<p>d<br><br>e', 'a\n\nb  \nc\n\nd\n\ne'],
  ['emphasis', '<b> bold </b>er <i></i><em>so</em> <del>old</del>', '**bold** er _so_ ~~old~~'],
  ['emphasis in two elements', '<b>bo</b><b>ld</b>', '**bold**'],
  ['emphasis around paragraphs', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  ['a rule', '<p>a</p><hr><p>b', 'a\n\n---\n\nb'],
  [
    'links',
    '<a href="https://a.b/(c) d"><h3>Card</h3><p>text</p></a> <a>no</a>',
    '[Card text](https://a.b/%28c%29%20d) no',
  ],
  ['addresses that are none of the web', '<a href="javascript:x">a</a><a href="chapter2.xhtml">b</a>', 'ab'],
  ['lists', '<ol start="3"><li>Fill<ul><li>oil<li>wick</ul><li></li><li>Light', '3. Fill\n  * oil\n  * wick\n5. Light'],
  ['items of several parts', '<ul><li><h3>Bay</h3><p>a<p>b</ul><p>c', '* **Bay**  \n  a  \n  b\n\nc'],
  ['terms', '<dl><dt>Oil<dd>0.6 l<dd><p>of any kind</p><dt>Wick<dd>2', 'Oil  \n0.6 l  \nof any kind\n\nWick  \n2'],
  ['quotes', '<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d', '> a\n>\n> b\n> >\n> > c\n\nd'],
  ['code in a line', 'use <code>a  <b>`b</b></code> <code> </code>', 'use `` a `b ``'],
  ['code', '<pre class="language-js"><code>\n\n  a\n\n```b\n</code></pre>', '````js\n  a\n\n```b\n````'],
  ['code that is lines of their own', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
  ['signs that mean nothing', '<p>1. x *y*<p>- a<p># b<p>+49 2', '1\\. x \\*y\\*\n\n\\- a\n\n\\# b\n\n+49 2'],
  ['nothing of what is no text', '<noscript>a</noscript><img alt="b"><script>c</script> ', ''],
])('%s are written', (_, html, expected) => {
  expect(markdown(html)).toBe(expected)
})

const table = (...lines: string[]) => lines.join('\n')
test.each([
  [
    'a head of merged cells',
    '<table><caption>Prices</caption><tr><th rowspan=2>Boat<th colspan=2>Price<tr><th>day<th>week<tr><td>Canoe<td>1|2<td>3<br>4</table>',
    table('**Prices**', '', '| Boat | Price day | Price week |', '| --- | --- | --- |', '| Canoe | 1\\|2 | 3 4 |'),
  ],
  [
    'a cell of several rows, and one of several columns',
    '<table><tr><td>Boat<td>Day<td>Price<tr><td rowspan=2>Canoe<td>Mo<td>9<tr><td>Tu<td>8<tr><td colspan=3>Closed in May</table>',
    table(
      '| Boat | Day | Price |',
      '| --- | --- | --- |',
      '| Canoe | Mo | 9 |',
      '| Canoe | Tu | 8 |',
      '| Closed in May |  |  |',
    ),
  ],
  [
    'rows that have names, and columns that have none',
    '<table><tr><th>Monday<td>9 to 17<tr><th>Tuesday<td>10 to 18</table>',
    table('|  |  |', '| --- | --- |', '| Monday | 9 to 17 |', '| Tuesday | 10 to 18 |'),
  ],
  [
    'a table that places parts of a page',
    '<table><tr><td><h1>Lamps</h1><td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>',
    table('# Lamps', '', '| a | b |', '| --- | --- |', '| 1 | 2 |'),
  ],
])('%s', (_, html, expected) => {
  expect(markdown(html)).toBe(expected)
})

test('what is nested too deep is at the deepest level, and none of it is lost', () => {
  const read = markdown('<ul><li>a'.repeat(3_000))
  expect(read.match(/a/g)).toHaveLength(3_000)
  expect(read).toContain(`\n${' '.repeat(12)}* a\n`)
  expect(read).not.toContain(' '.repeat(13))
})

test('a merged cell does not make much text of little', () => {
  const merged = { tag: 'td', get: (name: string) => (name === 'rowspan' ? '9999' : '') } as unknown as TreeElement
  const single = { tag: 'td', get: () => '' } as unknown as TreeElement
  const timesSaid = (text: string) => {
    const rows = new TableRows(10_000)
    rows.cell(merged, text)
    for (let row = 0; row < 500; row++) {
      rows.row()
      rows.cell(single, 'x')
    }
    return rows.markdown().split(text).length - 1
  }
  // a table has its most characters; a long text stands in the first row alone
  expect(timesSaid('a'.repeat(100))).toBeLessThanOrEqual(100)
  expect(timesSaid('a'.repeat(300))).toBe(1)
})
