import { expect, test } from 'vitest'
import { isAddress, isKey, keyedProviders, readAiSettings, readProviders } from './aiSettings'
import { parseConfig } from './config'

test.each([
  ['https://api.example.com/v1', true],
  ['HTTP://127.0.0.1:11434', true],
  ['http://[::1]:8080/', true],
  ['api.example.com', false],
  ['ftp://api.example.com', false],
  ['x https://api.example.com', false],
  ['https://', false],
  ['https://a b', false],
  ['https://user@api.example.com', false],
  ['https://:word@api.example.com', false],
  ['https://api.example.com/?key=1', false],
  ['https://api.example.com/#a', false],
])('%s is an address of a server: %s', (text, wanted) => {
  expect(isAddress(text)).toBe(wanted)
})

test.each([
  ['sk-ABC!~', true],
  ['', false],
  ['a b', false],
  [' a', false],
  ['a\n', false],
  ['é', false],
  ['a\u007f', false],
])('%j is valid as a key: %s', (text, wanted) => {
  expect(isKey(text)).toBe(wanted)
})

const ADDRESS = 'https://api.example.com/v1'

test('a server needs a model, and has a key and a model of embeddings where they are given', () => {
  expect(readAiSettings({})).toBeNull()
  expect(readAiSettings({ AI_BASE_URL: ADDRESS, AI_MODEL: 'small' })).toEqual({
    baseUrl: ADDRESS,
    apiKey: null,
    model: 'small',
    embeddingModel: null,
    transcriptionModel: null,
  })
  const whole = { AI_BASE_URL: ADDRESS, AI_MODEL: 'small', AI_API_KEY: 'key', AI_EMBEDDING_MODEL: 'words' }
  expect(readAiSettings(whole)).toMatchObject({ apiKey: 'key', embeddingModel: 'words' })
  expect(() => readAiSettings({ AI_BASE_URL: ADDRESS })).toThrow('AI_MODEL is not')
  for (const name of ['AI_API_KEY', 'AI_MODEL', 'AI_EMBEDDING_MODEL', 'AI_TRANSCRIPTION_MODEL'])
    expect(() => readAiSettings({ [name]: 'x' })).toThrow(`${name} is set and AI_BASE_URL is not`)
})

test('each provider has its own address and key, or the standard address and none', () => {
  const standard = readProviders({})
  expect(Object.keys(standard)).toEqual([...keyedProviders])
  for (const provider of keyedProviders) {
    expect(standard[provider].apiKey).toBeNull()
    expect(standard[provider].baseUrl).toMatch(/^https:\/\/.+[^/]$/)
  }
  const { providers } = parseConfig({ MISTRAL_API_KEY: ' key ', MISTRAL_BASE_URL: `${ADDRESS}//` })
  expect(providers).toEqual({ ...standard, mistral: { apiKey: 'key', baseUrl: ADDRESS } })
})

test('a key that can’t be sent is refused without being shown', () => {
  expect(() => readProviders({ OPENAI_API_KEY: 'top\nsecret' })).toThrow(/^OPENAI_API_KEY holds characters/)
  expect(() => readAiSettings({ AI_BASE_URL: ADDRESS, AI_MODEL: 'small', AI_API_KEY: 'top secret' })).toThrow(
    /^AI_API_KEY holds characters that a key can’t have: [^:]*$/,
  )
})

test.each([
  ...keyedProviders.map((provider) => [
    `${provider === 'google' ? 'GOOGLE_GENERATIVE_AI' : provider.toUpperCase()}_BASE_URL`,
    'api.example.com',
  ]),
  ['AI_BASE_URL', 'api.example.com'],
  ['AI_MODEL', 'm'.repeat(201)],
  ['AI_EMBEDDING_MODEL', 'm'.repeat(201)],
  ['AI_TRANSCRIPTION_MODEL', 'm'.repeat(201)],
])('%s=%s is refused with a remedy', (name = '', value) => {
  expect(() => parseConfig({ AI_BASE_URL: ADDRESS, AI_MODEL: 'small', [name]: value })).toThrow(`${name} is "${value}`)
})

test('the name of a model has up to 200 characters', () => {
  const name = 'm'.repeat(200)
  expect(parseConfig({ AI_BASE_URL: ADDRESS, AI_MODEL: name, AI_EMBEDDING_MODEL: name }).ai).toMatchObject({
    model: name,
    embeddingModel: name,
  })
})
