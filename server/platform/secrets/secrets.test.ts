import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keyOfFolder, parseSecretKeys } from './keys'
import { createSecrets } from './secrets'

const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const spelled = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const place = { projectId: '7', row: 'ai_connections/abc' }
const [old, fresh] = parseSecretKeys(`${spelled('old')}, ${spelled('new')}`)
const keys = [old, fresh].flatMap((key) => key ?? [])

test('what is sealed opens at its place alone, and says nothing', () => {
  const secrets = createSecrets({ secretKeys: keys, dataDir: folder })
  const sealed = secrets.seal('sk-secret-ключ', place)
  expect(sealed).toMatch(/^v1\.old(\.[\w-]+){3}$/)
  expect(sealed).not.toContain(Buffer.from('sk-secret').toString('base64url'))
  expect(secrets.open(sealed, place)).toBe('sk-secret-ключ')
  expect(secrets.open(sealed, { ...place, row: 'ai_connections/abd' })).toBeNull()
  expect(secrets.open(sealed, { ...place, projectId: '8' })).toBeNull()
  expect(secrets.seal('sk-secret-ключ', place)).not.toBe(sealed)
})

test('what was changed, cut or sealed by a key that is gone does not open', () => {
  const secrets = createSecrets({ secretKeys: keys, dataDir: folder })
  const parts = secrets.seal('secret', place).split('.')
  for (let at = 0; at < parts.length; at++) {
    const changed = parts.map((part, index) => (index === at ? `${part[0] === 'x' ? 'y' : 'x'}${part.slice(1)}` : part))
    expect(secrets.open(changed.join('.'), place)).toBeNull()
    expect(secrets.open(parts.slice(0, at).join('.'), place)).toBeNull()
  }
  // a shortened authentication tag is easier to guess
  const shortened = [...parts.slice(0, 3), parts[3]?.slice(0, 6), parts[4]].join('.')
  expect(secrets.open(shortened, place)).toBeNull()
  expect(createSecrets({ secretKeys: keys.slice(1), dataDir: folder }).open(parts.join('.'), place)).toBeNull()
})

test('the first key seals, and all open: one is replaced by putting another before it', () => {
  const before = createSecrets({ secretKeys: keys.slice(0, 1), dataDir: folder })
  const after = createSecrets({ secretKeys: [...keys].reverse(), dataDir: folder })
  const sealed = before.seal('secret', place)
  expect([after.open(sealed, place), sealed.startsWith(after.freshPrefix)]).toEqual(['secret', false])
  expect(after.seal('secret', place).startsWith(after.freshPrefix)).toBe(true)
})

test('without keys one is made for the folder, for its owner alone, and stays', () => {
  const made = keyOfFolder(folder)
  const path = join(folder, 'secret.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(keyOfFolder(folder)).toEqual(made)
  expect(readFileSync(path, 'utf8')).toContain(made.id)
  const sealed = createSecrets({ secretKeys: [], dataDir: folder }).seal('secret', place)
  expect(createSecrets({ secretKeys: [], dataDir: folder }).open(sealed, place)).toBe('secret')
  writeFileSync(path, 'nonsense')
  expect(() => keyOfFolder(folder)).toThrow('holds no key')
})

test('a key file that another process makes meanwhile stays, and no draft is left beside it', () => {
  const raced = mkdtempSync(join(folder, 'raced-'))
  // reads as missing and is there when the key is put in its place, as after a race that was lost
  symlinkSync(join(raced, 'elsewhere'), join(raced, 'secret.key'))
  expect(() => keyOfFolder(raced)).toThrow('ENOENT')
  expect(readdirSync(raced)).toEqual(['secret.key'])
})

test('keys that are no keys are refused, and not shown', () => {
  for (const text of ['hunter2', 'a:hunter2', `a b:${randomBytes(32).toString('base64')}`]) {
    expect(() => parseSecretKeys(text)).toThrow("SECRET_KEYS can't be read at key 1")
    expect(() => parseSecretKeys(text)).not.toThrow('hunter2')
  }
  expect(() => parseSecretKeys(`${spelled('a')},${spelled('a')}`)).toThrow('two keys of one name')
})
