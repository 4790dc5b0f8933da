/** Pages that grow by the shape of their tree rather than by what they say. */
const repeat =
  (piece: string, before = '') =>
  (length: number): string =>
    before + piece.repeat(Math.ceil(length / piece.length))

export const pageShapes: Readonly<Record<string, (length: number) => string>> = {
  'rows of a table': repeat('<tr><td><b>a</b> b<td>c', '<table>'),
  'cells of a row': repeat('<td>a', '<table><tr>'),
  'merged cells': repeat('<tr><td>c', `<table><tr>${'<td rowspan=9999>a'.repeat(9)}`),
  'items of a list': repeat('<li><p>a</p>b', '<ul>'),
  'items deep in lists': repeat('<li>b', '<ul><li>a'.repeat(90)),
  'nested lists': repeat('<ul><li>a'),
  'nested tables': repeat('<table><tr><td>a'),
  'nested quotes': repeat('<blockquote>a'),
  'links to what a long address is the base of': (length) =>
    `<base href="https://a.b/${'x'.repeat(length / 2)}/">${repeat('<a href="y">word</a> ')(length / 2)}`,
  'links that are not closed': repeat('<a href="https://a.b">a'),
  'elements that are not closed': (length) => repeat('<b>')(length / 2) + repeat('a</i>')(length / 2),
  'attributes of an element': (length) =>
    `<p ${Array.from({ length: length / 10 }, (_, at) => `a${at}="1"`).join(' ')}>a</p>`,
  entities: repeat('&amp;&#x41; '),
  'captions of an article': repeat(
    '<figcaption>a lamp</figcaption>',
    '<meta property="og:type" content="article"><meta property="article:published_time" content="2026-01-01"><article>',
  ),
  'lines that are broken': repeat('a<br>'),
  'code in a line': repeat('<code>a `b</code> '),
}
