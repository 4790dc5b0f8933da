import { expect, test } from 'vitest'
import { textDiff } from './textDiff'

const shown = (before: string, after: string) =>
  textDiff(before, after).map((line) =>
    line.change === 'gap'
      ? `… ${line.lines}`
      : `${{ same: ' ', added: '+', removed: '-', changed: '~' }[line.change]} ${line.parts
          .map(({ text, change }) => (change === 'added' ? `{+${text}}` : change === 'removed' ? `{-${text}}` : text))
          .join('')}`,
  )

test('a changed line is shown once, word by word, between two lines around it', () => {
  const lines = Array.from({ length: 9 }, (_, at) => `Line ${at}.`)
  const after = lines.with(4, 'Line 4 is longer.')
  expect(shown(lines.join('\n'), after.join('\n'))).toEqual([
    '… 2',
    '  Line 2.',
    '  Line 3.',
    '~ Line 4{+ is longer}.',
    '  Line 5.',
    '  Line 6.',
    '… 2',
  ])
})

test('lines that come and go are shown whole, and so are those that have nothing in common', () => {
  expect(shown('One\nTwo', 'One\nAnd a half\nTwo')).toEqual(['  One', '+ {+And a half}', '  Two'])
  expect(shown('Hello', 'Good bye')).toEqual(['- {-Hello}', '+ {+Good bye}'])
  expect(shown('Same', 'Same')).toEqual(['… 1'])
})

test('both texts can be read from what is shown', () => {
  const before = 'a b\nc\n\nd e f\ng'
  const after = 'a x b\n\nd f\nh\ng'
  const lines = textDiff(before, after).filter((line) => line.change !== 'gap')
  const side = (hidden: 'added' | 'removed') =>
    lines
      .filter(({ change }) => change !== hidden)
      .map(({ parts }) => parts.flatMap(({ text, change }) => (change === hidden ? [] : [text])).join(''))
      .join('\n')
  expect(side('added')).toBe(before)
  expect(side('removed')).toBe(after)
})
