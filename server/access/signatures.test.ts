import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSigned, isSignedByKey, isSignedInTime } from './signatures'

const BODY = Buffer.from('{"paid":true}')
const SECRET = 'whsec_one'
const rule = { header: 'x-signature', prefix: 'sha256=' }
const hmac = (secret: string, body: Buffer | string = BODY) => createHmac('sha256', secret).update(body).digest('hex')

test('a body is signed by the secret that its signature was made with', () => {
  expect(isSigned(BODY, `sha256=${hmac(SECRET)}`, rule, SECRET)).toBe(true)
  expect(isSigned(BODY, hmac(SECRET), { header: 'x-signature' }, SECRET)).toBe(true)
  const given = createHmac('sha256', SECRET).update(BODY).digest('base64')
  expect(isSigned(BODY, given, { header: 'x-signature', encoding: 'base64' }, SECRET)).toBe(true)
})

test.each([
  ['of another secret', `sha256=${hmac('whsec_two')}`],
  ['of another body', `sha256=${hmac(SECRET, 'another')}`],
  ['without its prefix', hmac(SECRET)],
  ['cut short', `sha256=${hmac(SECRET).slice(0, 62)}`],
  ['with more behind it', `sha256=${hmac(SECRET)}00`],
  ['of zeros, as many as a signature has', `sha256=${'00'.repeat(32)}`],
  ['of nothing', 'sha256='],
])('a signature %s signs nothing', (_, given) => {
  expect(isSigned(BODY, given, rule, SECRET)).toBe(false)
})

test('without a signature, with two of them, and without a secret nothing is signed', () => {
  expect(isSigned(BODY, undefined, rule, SECRET)).toBe(false)
  expect(isSigned(BODY, [`sha256=${hmac(SECRET)}`], rule, SECRET)).toBe(false)
  expect(isSigned(BODY, `sha256=${hmac('')}`, rule, null)).toBe(false)
})

const SECONDS = 1_790_000_000
const at = (seconds: number) => new Date(seconds * 1_000)
const inTime = { header: 'stripe-signature', within: 300 }
const timed = (seconds: number, secret = SECRET) => hmac(secret, `${seconds}.${BODY.toString()}`)

test('a signature over its time counts for as long as the rule says, before and after', () => {
  const given = `t=${SECONDS},v1=${timed(SECONDS)}`
  for (const seconds of [SECONDS, SECONDS + 300, SECONDS - 300])
    expect(isSignedInTime(BODY, given, inTime, SECRET, at(seconds)), String(seconds)).toBe(true)
  for (const seconds of [SECONDS + 301, SECONDS - 301])
    expect(isSignedInTime(BODY, given, inTime, SECRET, at(seconds)), String(seconds)).toBe(false)
})

test('of several signatures one has to be right, beside parts of other kinds', () => {
  const right = `v1=${timed(SECONDS)}`
  const wrong = `v1=${timed(SECONDS, 'whsec_two')}`
  const is = (given: string) => isSignedInTime(BODY, given, inTime, SECRET, at(SECONDS))
  expect(is(`t=${SECONDS},${wrong},${right},v0=${timed(SECONDS)}`)).toBe(true)
  expect(is(`t=${SECONDS},${wrong},${wrong}`)).toBe(false)
  expect(is(`t=${SECONDS},v0=${timed(SECONDS)}`)).toBe(false)
  expect(is(`t=${SECONDS},${Array(8).fill(wrong)},${right}`)).toBe(true)
  expect(is(`t=${SECONDS},${Array(9).fill(wrong)},${right}`)).toBe(false)
})

test('a time that is changed, or none, makes a signature wrong', () => {
  expect(isSignedInTime(BODY, `t=${SECONDS + 1},v1=${timed(SECONDS)}`, inTime, SECRET, at(SECONDS))).toBe(false)
  const withoutTime = hmac(SECRET, `.${BODY.toString()}`)
  expect(isSignedInTime(BODY, `v1=${withoutTime}`, { ...inTime, within: SECONDS }, SECRET, at(SECONDS))).toBe(false)
  expect(isSignedInTime(BODY, undefined, inTime, SECRET, at(SECONDS))).toBe(false)
})

test('a header that is longer than any sender’s is not looked at', () => {
  const given = `t=${SECONDS},v1=${timed(SECONDS)},v0=`
  const padded = (length: number) => given.padEnd(length, '0')
  expect(isSignedInTime(BODY, padded(2_000), inTime, SECRET, at(SECONDS))).toBe(true)
  expect(isSignedInTime(BODY, padded(2_001), inTime, SECRET, at(SECONDS))).toBe(false)
})

test('a signature by a key is over the time in its header and the body', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const byKey = { header: 'x-signature', timestamp: 'x-time' }
  const given = sign('sha256', Buffer.concat([Buffer.from('17'), BODY]), privateKey).toString('base64')
  const is = (headers: Record<string, string | string[]>, by: string | null = key) =>
    isSignedByKey(BODY, headers, byKey, by)
  expect(is({ 'x-signature': given, 'x-time': '17' })).toBe(true)
  expect(is({ 'x-signature': given, 'x-time': '18' })).toBe(false)
  expect(is({ 'x-signature': given })).toBe(false)
  expect(is({ 'x-time': '17' })).toBe(false)
  expect(is({ 'x-signature': [given], 'x-time': '17' })).toBe(false)
  expect(is({ 'x-signature': given, 'x-time': '17' }, null)).toBe(false)
})
