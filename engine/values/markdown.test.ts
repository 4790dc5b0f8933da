import { expect, test } from 'vitest'
import { markdownText } from './markdown'

/** Paragraphs as lines: formatting in brackets, lists by their marker. */
const seen = (markdown: string) =>
  markdownText(markdown).map(({ children, list, level }) =>
    [
      list ? `${'>'.repeat(level ?? 0)}${list === 'bullet' ? '-' : '#'} ` : '',
      ...children.map(({ text, bold, italic, link }) =>
        [bold && 'b', italic && 'i', link && `l:${link}`].some(Boolean)
          ? `<${[bold && 'b', italic && 'i', link && `l:${link}`].filter(Boolean).join(' ')}|${text}>`
          : text,
      ),
    ].join(''),
  )

test.each<[string, string[]]>([
  ['First.\nSecond.', ['First.', 'Second.']],
  ['One\n\n\n\nTwo\n\n', ['One', '', 'Two']],
  ['It is **very *nice*** [1].', ['It is <b|very ><b i|nice> [1].']],
  ['__bold__ and _slanted_ snake_case_name 2*3*4', ['<b|bold> and <i|slanted> snake_case_name 2*3*4']],
  [
    '[Prices](https://a.example/p) or https://a.example/q.',
    ['<l:https://a.example/p|Prices> or <l:https://a.example/q|https://a.example/q>.'],
  ],
  ['[**Now**](mailto:a@b.example)', ['<b l:mailto:a@b.example|Now>']],
  ['[x](javascript:alert)', ['x']],
  ['- one\n- two\n\n- three\n  - inner\n1. first', ['- one', '- two', '- three', '>- inner', '# first']],
  ['## Title\ntext', ['<b|Title>', 'text']],
  ['a `b*c*` \\*d\\*', ['a b*c* *d*']],
  ['```\n*raw*\n```', ['*raw*']],
  ['| a | b |\n|---|---|\n| 1 | 2 |', ['| a | b |', '| 1 | 2 |']],
  ['> quoted\n---\nend', ['quoted', 'end']],
  ['**open and `open', ['**open and `open']],
  ['', []],
])('%j', (markdown, lines) => expect(seen(markdown)).toEqual(lines))

test('long and odd texts are read in no time', () => {
  for (const odd of [
    '*'.repeat(20_000),
    '['.repeat(20_000),
    '**a '.repeat(5_000),
    '_a'.repeat(10_000),
    '`'.repeat(20_000),
  ]) {
    expect(markdownText(`a ${odd}`).length).toBeGreaterThan(0)
  }
})
