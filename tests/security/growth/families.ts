/** Texts that grow: what somebody who means harm would send, and what writers of other scripts send without meaning any. */
const run = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

type Families = Readonly<Record<string, (length: number) => string>>

/** What every run grows: one family of each kind of trouble. */
const common: Families = {
  spaces: run(' '),
  'spaces within words': (length) => `a${run(' ')(length)}b`,
  newlines: run('\n'),
  'lines of spaces': run('  \n'),
  NUL: run('\0'),
  'one long word': run('a'),
  sentences: run('This is a sentence. '),
  'digits and spaces': run('1 '),
  commas: run(','),
  'double quotes': run('"'),
  'quoted lines': run('"a"b\n'),
  'open brackets': run('['),
  'open parentheses': run('('),
  'open pictures': run('![]('),
  'open links': run('[a]('),
  'ends of labels': run(']('),
  'backticks between words': run('`a '),
  underscores: run('_'),
  'nested emphasis': run('*a **b '),
  backslashes: run('\\'),
  'open tags': run('<a '),
  'open comments': run('<!--'),
  'nested tags': run('<div>'),
  'open attributes': run('<a href="'),
  locations: run('<loc>'),
  ampersands: run('&#1'),
  'mail hosts': run('a@b.'),
  'web addresses': run('http://a.b/c '),
  'open placeholders': run('{{'),
  'nested lists': (length) => lines(length, (at) => `${' '.repeat((at % 50) * 2)}- a`),
  'table cells': run('|'),
  'hash and spaces': (length) => `# a${run(' ')(length)}b`,
  'nested JSON objects': run('{"a":'),
  'half surrogates': run('\ud83d'),
  Chinese: run('我们的商店每天上午九点营业'),
  Thai: run('ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า'),
  'Arabic and numbers': run('متى 12 '),
  'marks out of order': (length) => `a${run('\u0301\u0323')(length)}`,
  'a mixture': mixture,
}

/** More of the same kinds, for the long course. */
const others: Families = {
  CRLF: run('\r\n'),
  tabs: run('\t'),
  words: run('word '),
  digits: run('1'),
  'numbers with commas': run('1,234,'),
  dates: run('1.1.'),
  points: run('.'),
  'single quotes': run("'"),
  'quotes and commas': run('","'),
  'closed brackets': run('[]'),
  'closed parentheses': run('()'),
  'links with long labels': (length) => `[${run('a')(length)}](b`,
  backticks: run('`'),
  asterisks: run('*'),
  'open bold': run('**a '),
  'open italics': run('*a '),
  'underscores between words': run('_a '),
  'angle brackets': run('<'),
  'tags in pairs': run('<p>a</p>'),
  'closing tags': run('</p>'),
  'nested list of tags': run('<ul><li>a'),
  entities: run('&amp;'),
  'open mail addresses': run('a@'),
  'open web addresses': run('http://'),
  'hosts without a scheme': run('www.'),
  'open placeholders with names': run('{{a'),
  placeholders: run('{{a}}'),
  'list items': run('- a\n'),
  'numbered items': run('1. a\n'),
  'table rows': run('| a '),
  'rows of a table': run('|a|\n'),
  'rules of a table': run('|-'),
  hyphens: run('-'),
  'underlined lines': run('a\n-'),
  'equals signs': run('='),
  fences: run('```\n'),
  quotes: run('> '),
  'quoted paragraphs': run('> a\n'),
  hashes: run('#'),
  headings: run('# a\n'),
  'nested JSON lists': run('['),
  JSON: run('{"a":[1]},'),
  base64: run('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0'),
  'percent signs': run('%2'),
  paths: run('/a'),
  climbing: run('../'),
  parameters: run('a=b&'),
  emoji: run('😀'),
  families: run('👩‍👩‍👧'),
  Japanese: run('営業時間は何時から何時までですか'),
  'Thai and Latin': run('ร้านa'),
  Arabic: run('متى يفتح المتجر اليوم '),
  'Hebrew without spaces': run('שלום'),
  Hindi: run('दुकान कब खुलती है '),
  Vietnamese: run('cửa hàng mở cửa '),
  'combining marks': (length) => `a${run('\u0301')(length)}`,
  'letters with marks': run('e\u0301'),
  ligatures: run('ﷺ'),
  'no-break spaces': run('\u00a0'),
  'joined letters': run('\u200d'),
}

export const families: Families = process.env.FULL ? { ...common, ...others } : common

function lines(length: number, line: (at: number) => string): string {
  const made: string[] = []
  for (let at = 0, size = 0; size < length; at++) {
    made.push(line(at))
    size += (made.at(-1)?.length ?? 0) + 1
  }
  return made.join('\n').slice(0, length)
}

/** Pieces of all kinds in an order that is the same each time. */
function mixture(length: number): string {
  const pieces = [
    'a',
    ' ',
    '\n',
    '[',
    '](',
    ')',
    '*',
    '**',
    '_',
    '`',
    '<b>',
    '</b>',
    '![',
    '1',
    '.',
    ',',
    '"',
    '| ',
    '- ',
    '# ',
    '商店',
    'ร้าน',
    '{{',
    '}}',
    '@',
    'https://a.b',
    '&',
    '\\',
  ]
  const made: string[] = []
  let state = 7
  for (let size = 0; size < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const piece = pieces[state % pieces.length] ?? ''
    made.push(piece)
    size += piece.length
  }
  return made.join('').slice(0, length)
}
