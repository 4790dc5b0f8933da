import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseConfig } from './config'

test('every setting has a default', () => {
  const config = parseConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, publicUrl: 'http://127.0.0.1:3000' })
  expect(config.dataDir).toBe(`${process.cwd()}/data`)
})

test('nobody sees plans unless billing is switched on', () => {
  expect(parseConfig({}).billing).toBe(false)
  expect(parseConfig({ BILLING: 'off' }).billing).toBe(false)
  expect(parseConfig({ BILLING: 'on' }).billing).toBe(true)
})

test('an empty variable counts as one that is not set', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' }).port).toBe(3000)
})

test('the public address loses its slash, and follows host and port when it is left out', () => {
  expect(parseConfig({ PUBLIC_URL: 'https://chat.example.com/' }).publicUrl).toBe('https://chat.example.com')
  expect(parseConfig({ HOST: '0.0.0.0', PORT: '80' }).publicUrl).toBe('http://localhost:80')
  expect(parseConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000')
})

test('chat pages have another host than the builder, or none of their own', () => {
  const settings = { PUBLIC_URL: 'https://parley.example.com', CHAT_URL: 'https://chat.example.com/' }
  expect(parseConfig(settings).chatUrl).toBe('https://chat.example.com')
  expect(parseConfig({}).chatUrl).toBeNull()
  expect(() => parseConfig({ ...settings, CHAT_URL: 'https://parley.example.com' })).toThrow('CHAT_URL is the address')
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
  ['CHAT_URL', 'chat.example.com'],
  ['CHAT_URL', 'https://example.com/chat'],
  ['TRUST_PROXY', 'nginx'],
  ['TRUST_PROXY', '11'],
  ['TRUST_PROXY', '10.0.0.0/8, nginx'],
  ['REGISTRATION', 'maybe'],
  ['BILLING', 'yes'],
  ['OPERATORS', 'nobody'],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'sixteen letters and spaces'],
  ['LOG_LEVEL', 'loud'],
  ['CHAT_STARTS_PER_MINUTE', '-1'],
  ['CHAT_STARTS_PER_MINUTE', 'x60'],
  ['CHAT_STARTS_PER_MINUTE', '1000000'],
  ['CHAT_MESSAGES_PER_MINUTE', 'many'],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'http://localhost:6379'],
  ['REDIS_URL', 'redis://'],
  ['REDIS_URL', 'redis://localhost/?db=1'],
  ['WHATSAPP_API_VERSION', '24.0'],
  ['WHATSAPP_API_VERSION', 'xv24.0'],
  ['WHATSAPP_API_VERSION', 'v4.0'],
  ['WHATSAPP_API_VERSION', 'v24.01'],
  ['SMTP_URL', 'mail.example.com'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'xsmtp://mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com/?secure=no'],
  ['MAIL_FROM', 'Parley'],
  ['MAIL_FROM', 'Parley <nobody>'],
  ['OUTBOUND_ALLOW', 'intranet.example.com'],
  ['OUTBOUND_ALLOW', '10.0.0.0/33'],
  ['OUTBOUND_ALLOW', '10.0.0.0/8; 192.168.0.1'],
])('%s=%s is refused in one line that names variable, value and remedy', (name, value) => {
  const refusal = () => parseConfig({ [name]: value })
  expect(refusal).toThrow(`${name} is "${value}": give `)
  expect(refusal).not.toThrow('\n')
})

test('a refused address keeps its password to itself', () => {
  expect(() => parseConfig({ DATABASE_URL: 'http://me:hunter2@host/db' })).toThrow('"http://me:…@host/db"')
})

test('mails have a sender once there is a server for them', () => {
  const settings = { SMTP_URL: 'smtps://me:secret@mail.example.com:465', MAIL_FROM: 'Parley <bot@example.com>' }
  expect(parseConfig(settings)).toMatchObject({
    smtpUrl: settings.SMTP_URL,
    mailFrom: { name: 'Parley', address: 'bot@example.com' },
  })
  expect(parseConfig({ MAIL_FROM: 'bot@example.com' })).toMatchObject({
    smtpUrl: null,
    mailFrom: { name: '', address: 'bot@example.com' },
  })
  expect(() => parseConfig({ SMTP_URL: settings.SMTP_URL })).toThrow('MAIL_FROM')
  expect(() => parseConfig({ SMTP_URL: 'smtp://me:hunter2@mail.example.com/x' })).toThrow('smtp://me:…@')
})

test('SendGrid is chosen by its key, beside a mail server too, and its verification key is one', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const verification = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const settings = { SENDGRID_API_KEY: 'SG.a.b', SENDGRID_WEBHOOK_KEY: verification, MAIL_FROM: 'bot@example.com' }
  expect(parseConfig(settings).sendgrid).toEqual({
    apiKey: 'SG.a.b',
    apiUrl: 'https://api.sendgrid.com',
    webhookKey: verification,
  })
  expect(parseConfig({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'bot@example.com' }).sendgrid).toBeNull()
  expect(() => parseConfig({ ...settings, MAIL_FROM: '' })).toThrow('SENDGRID_API_KEY is set and MAIL_FROM is not')
  expect(() => parseConfig({ ...settings, SENDGRID_API_KEY: '"SG.a.b"x y' })).toThrow('without quotes')
  expect(() => parseConfig({ ...settings, SENDGRID_WEBHOOK_KEY: 'secret' })).toThrow('verification key')
})

test('a model is its server, its name and perhaps a key', () => {
  expect(parseConfig({}).ai).toBeNull()
  expect(parseConfig({ AI_BASE_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'small' }).ai).toMatchObject({
    baseUrl: 'http://127.0.0.1:11434/v1',
    apiKey: null,
    model: 'small',
  })
  expect(parseConfig({ AI_BASE_URL: 'HTTP://127.0.0.1:11434', AI_MODEL: 'small' }).ai).toMatchObject({ model: 'small' })
  expect(() => parseConfig({ AI_BASE_URL: 'api.example.com', AI_MODEL: 'small' })).toThrow('AI_BASE_URL is "api.')
  expect(() => parseConfig({ AI_BASE_URL: 'https://api.example.com/v1' })).toThrow('AI_MODEL is not')
  expect(() => parseConfig({ AI_MODEL: 'small' })).toThrow('AI_MODEL is set and AI_BASE_URL is not')
  expect(() => parseConfig({ AI_API_KEY: 'secret' })).toThrow('AI_API_KEY is set and AI_BASE_URL is not')
})

test('a key that can’t be one is not shown', () => {
  const settings = { AI_BASE_URL: 'https://api.example.com/v1', AI_MODEL: 'small', AI_API_KEY: 'top\nsecret' }
  expect(() => parseConfig(settings)).toThrow('AI_API_KEY holds characters')
  expect(() => parseConfig(settings)).not.toThrow('secret')
})

test('half of a client says which half is there and which is missing', () => {
  const both = { GOOGLE_CLIENT_ID: 'me.apps', GOOGLE_CLIENT_SECRET: 'hush' }
  expect(parseConfig(both).vendors.google.client).toEqual({ id: 'me.apps', secret: 'hush' })
  expect(parseConfig({}).vendors.google.client).toBeNull()
  expect(() => parseConfig({ GOOGLE_CLIENT_ID: 'me.apps' })).toThrow(
    'GOOGLE_CLIENT_ID is set and GOOGLE_CLIENT_SECRET is not',
  )
  expect(() => parseConfig({ GOOGLE_CLIENT_SECRET: 'hush' })).toThrow(
    'GOOGLE_CLIENT_SECRET is set and GOOGLE_CLIENT_ID is not',
  )
})

test.each(['redis://localhost', 'rediss://:secret@redis.example.com:6380/0', 'redis://localhost/'])(
  'REDIS_URL may be %s',
  (text) => expect(parseConfig({ REDIS_URL: text }).redisUrl).toBe(text),
)
