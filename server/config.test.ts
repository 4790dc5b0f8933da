import { expect, test } from 'vitest'
import { parseConfig } from './config'

test('every setting has a default', () => {
  const config = parseConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, publicUrl: 'http://127.0.0.1:3000' })
  expect(config.dataDir).toBe(`${process.cwd()}/data`)
})

test('an empty variable counts as one that is not set', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' }).port).toBe(3000)
})

test('the public address loses its slash, and follows host and port when it is left out', () => {
  expect(parseConfig({ PUBLIC_URL: 'https://chat.example.com/' }).publicUrl).toBe('https://chat.example.com')
  expect(parseConfig({ HOST: '0.0.0.0', PORT: '80' }).publicUrl).toBe('http://localhost:80')
  expect(parseConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000')
})

test.each([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80 '],
  ['HOST', 'a b'],
  ['DATABASE_URL', 'mysql://root@localhost/x'],
  ['DATABASE_URL', 'localhost:5432'],
  ['PUBLIC_URL', 'chat.example.com'],
  ['PUBLIC_URL', 'https://example.com/parley'],
  ['REGISTRATION', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['CHAT_STARTS_PER_MINUTE', '-1'],
  ['CHAT_MESSAGES_PER_MINUTE', 'many'],
])('%s=%s is refused in one line that names variable, value and remedy', (name, value) => {
  const refusal = () => parseConfig({ [name]: value })
  expect(refusal).toThrow(`${name} is "${value}": give `)
  expect(refusal).not.toThrow('\n')
})

test('a refused address keeps its password to itself', () => {
  expect(() => parseConfig({ DATABASE_URL: 'http://me:hunter2@host/db' })).toThrow('"http://me:…@host/db"')
})
