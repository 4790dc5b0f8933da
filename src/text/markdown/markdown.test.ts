import fc from 'fast-check'
import { Editor, Transforms } from 'slate'
import { expect, test } from 'vitest'
import { blocksOf, createMarkdownEditor, insertMarkdown, toggleHeading, toggleItems } from './createMarkdownEditor'
import { keepHistory } from './history'
import { joinLeaves } from './inlines'
import { type MarkdownBlock, readMarkdown, writeMarkdown } from './markdown'

const again = (markdown: string) => writeMarkdown(readMarkdown(markdown))

test('headings, lists, marks and links are read and written as they were', () => {
  const markdown = [
    '# Returns',
    'Send it back within **30 days**, see [the *terms*](https://example.com/terms).',
    '## How',
    ['- Print the label', '  1. Open the portal', '  2. Choose _Return_ there', '- Drop it off'].join('\n'),
    'Prices:',
    ['| Size | Price |', '| --- | --- |', '| S | 5 |'].join('\n'),
  ].join('\n\n')
  expect(again(markdown)).toBe(markdown.replace('_Return_', '*Return*'))
})

test('text that only looks like Markdown stays what it was', () => {
  for (const text of [
    '# 5 is alive',
    '- 3 degrees',
    '1. FC Köln',
    '2 * 3 * 4',
    '*not a list',
    'a_b_c',
    '*really* and **truly**',
    '[words](https://example.com)',
    '[no](link',
    '`x*y*z`',
    '5 > 3',
    '**',
  ]) {
    const written = writeMarkdown([{ type: 'paragraph', children: [{ text }] }])
    expect(readMarkdown(written), written).toEqual([{ type: 'paragraph', children: [{ text }] }])
  }
  // no unnecessary escapes: passages are shown to people
  expect(writeMarkdown([{ type: 'paragraph', children: [{ text: '2 * 3, a_b, 50 % [sic] #1' }] }])).toBe(
    '2 * 3, a_b, 50 % [sic] #1',
  )
})

test('what any editor could hold survives being kept, whatever it is made of', () => {
  const words = fc.stringMatching(/^[ab*_[\]()`#\\1.>| \n-]{1,12}$/)
  const leaf = fc.record({
    text: words,
    bold: fc.constantFrom(undefined, true as const),
    link: fc.constantFrom(undefined, 'https://example.com/a_(b)'),
  })
  const block = fc.record({
    type: fc.constant('paragraph' as const),
    heading: fc.constantFrom(undefined, undefined, 1 as const, 3 as const),
    list: fc.constantFrom(undefined, 'bullet' as const, 'number' as const),
    children: fc.array(leaf, { minLength: 1, maxLength: 4 }),
  })
  const words_of = (blocks: readonly MarkdownBlock[]) =>
    blocks
      .map(({ children }) =>
        joinLeaves(children)
          .map(({ text }) => text)
          .join('')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (given) => {
      const blocks = given.map(({ heading, list, ...rest }) => ({
        ...rest,
        ...(list ? { list } : heading && { heading }),
      })) as MarkdownBlock[]
      const written = writeMarkdown(blocks)
      expect(words_of(readMarkdown(written)), written).toEqual(words_of(blocks))
      expect(words_of(readMarkdown(again(written))), 'kept a second time').toEqual(words_of(blocks))
    }),
    { seed: 6, numRuns: 300 },
  )
})

test('a person makes headings and lists by typing, and takes steps back', () => {
  const editor = createMarkdownEditor()
  const history = keepHistory(editor)
  editor.children = [{ type: 'paragraph', children: [{ text: '' }] }]
  Transforms.select(editor, Editor.start(editor, []))
  const type = (text: string) => {
    for (const letter of text) {
      if (letter === '\n') editor.insertBreak()
      else editor.insertText(letter)
      editor.operations = []
    }
  }
  type('## Opening hours\nWe open at nine.\n- Monday\nTuesday')
  const written = () => writeMarkdown(blocksOf(editor.children))
  expect(written()).toBe('## Opening hours\n\nWe open at nine.\n\n- Monday\n- Tuesday')
  history.undo()
  expect(written()).toBe('## Opening hours\n\nWe open at nine.\n\n- Monday')
  history.redo()
  toggleHeading(editor, 3)
  expect(written()).toContain('### Tuesday')
  toggleItems(editor, 'number')
  expect(written()).toContain('1. Tuesday')
  while (history.canUndo()) history.undo()
  expect(editor.children).toEqual([{ type: 'paragraph', children: [{ text: '' }] }])
})

test('what is inserted stands at the cursor, in place of what is chosen, and else at the end', () => {
  const editor = createMarkdownEditor()
  const text = () => writeMarkdown(blocksOf(editor.children))
  editor.children = readMarkdown('Good day')
  insertMarkdown(editor, '!')
  expect(text()).toBe('Good day!')
  Transforms.select(editor, { path: [0, 0], offset: 4 })
  insertMarkdown(editor, '🎉')
  insertMarkdown(editor, '**so**')
  expect(text()).toBe('Good🎉**so** day!')
  Transforms.select(editor, Editor.range(editor, []))
  insertMarkdown(editor, 'One\n\nTwo')
  expect(text()).toBe('One\n\nTwo')
})
