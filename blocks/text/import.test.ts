import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const content = (richText: unknown[]) => ({ type: 'text', content: { richText } })

test('a text keeps its bold, its link and its variable', () => {
  const children = [
    { text: 'Hi ' },
    { text: 'you {{Name}}', bold: true },
    { type: 'a', url: 'https://parley.test', children: [{ text: 'here' }] },
  ]
  const { kind, data, variable, notes } = importBlock(content([{ type: 'p', children }]), 'Name')
  expect(kind).toBe('text')
  expect(data).toEqual({
    content: [
      {
        type: 'paragraph',
        children: [
          { text: 'Hi ' },
          { text: 'you ', bold: true },
          { text: '', variable: true, variable_id: variable, bold: true },
          { text: 'here', link: 'https://parley.test' },
        ],
      },
    ],
  })
  expect(notes).toEqual([])
})

test('the HTML of an older file is read when there are no nodes, its plain text when there is no HTML', () => {
  expect(
    importBlock({ type: 'text', content: { html: '<div>Hi <b>you</b></div>', plainText: 'Hi you' } }).data,
  ).toEqual({
    content: [{ type: 'paragraph', children: [{ text: 'Hi ' }, { text: 'you', bold: true }] }],
  })
  expect(importBlock({ type: 'text', content: { plainText: 'Hi you' } }).data).toEqual({
    content: [{ type: 'paragraph', children: [{ text: 'Hi you' }] }],
  })
})

test('a text above 20,000 characters is cut and noted with its place', () => {
  const { data, report } = importBlock(content([{ type: 'p', children: [{ text: 'x'.repeat(20_001) }] }]))
  expect(data).toEqual({ content: [{ type: 'paragraph', children: [{ text: 'x'.repeat(20_000) }] }] })
  expect(report.notes).toContainEqual({
    level: 'warning',
    place: 'Group › text',
    message: 'The text is longer than 20000 characters and was cut.',
  })
})
