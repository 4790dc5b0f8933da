import { expect, test } from 'vitest'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { importBlock } from '../../tests/support/typebot'
import { urlInputDefaults } from './schema'

const data = (change: object = {}) => ({ ...urlInputDefaults(), saveTo: 'site', ...change })

test('keeps the address trimmed', () => {
  const run = runKind('url-input', data(), { replies: [typed(' https://lovelace.example/notes ')] })
  expect(run).toMatchObject({ port: 'next', variables: { site: 'https://lovelace.example/notes' } })
  expect(runKind('url-input', data()).request).toEqual({ input: 'url', placeholder: '', required: true })
})

test('refuses what is no address on the web, then leaves by invalid', () => {
  const replies = ['lovelace.example', 'https://localhost', `https://a.example/${'x'.repeat(500)}`].map(typed)
  const run = runKind('url-input', data(), { replies })
  const message = 'Enter a valid URL (must start with https:// or http://)'
  expect(run).toMatchObject({ port: 'invalid', said: [message, message] })
})

test('offers an address that only https:// is missing from, at a tap', () => {
  const { request } = runKind('url-input', data(), { replies: [typed('lovelace.example/notes')] })
  expect(request).toMatchObject({ quickReplies: [{ id: 'proposed', label: 'https://lovelace.example/notes' }] })
  const run = runKind('url-input', data(), {
    replies: [typed('lovelace.example/notes'), typed('https://lovelace.example/notes')],
  })
  expect(run).toMatchObject({ port: 'next', variables: { site: 'https://lovelace.example/notes' } })
  for (const odd of ['nothing', 'ftp://a.example', 'a b.example'])
    expect(runKind('url-input', data(), { replies: [typed(odd)] }).request).not.toHaveProperty('quickReplies')
})

test('can be skipped when it is optional', () => {
  expect(runKind('url-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
})

test('is what a URL input of another product becomes', () => {
  const { kind, data } = importBlock({ type: 'url input', options: { retryMessageContent: 'Once more' } })
  expect(kind).toBe('url-input')
  expect(data.retryText).toEqual([{ type: 'paragraph', children: [{ text: 'Once more' }] }])
})
