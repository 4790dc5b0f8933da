import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GoogleStandIn } from '../../../../server/sandbox/google/google'
import { createTestClock, type TestClock } from '../../clock'
import { consent } from '../consent'
import { createVendorCaller } from '../vendorCaller'
import { signAssertion } from './assertion'
import { startGoogle } from './startGoogle'

let clock: TestClock
let google: GoogleStandIn
let token: string

beforeEach(async () => {
  clock = createTestClock()
  google = await startGoogle({ clock })
  token = google.issue().accessToken ?? ''
})
afterEach(async () => {
  const { broken } = google
  await google.close()
  expect(broken).toEqual([])
})

const call = createVendorCaller(
  () => google,
  () => token,
)

const post = (path: string, form: Record<string, string>) =>
  fetch(new URL(path, google.origin), { method: 'POST', body: new URLSearchParams(form) })
const orders = () =>
  google.addSpreadsheet({
    title: 'Orders',
    tabs: {
      Orders: [
        ['Name', 'Amount'],
        ['Ada', 3],
      ],
      "It's": [],
    },
  })
const path = (id: string, rest = '') => `/v4/spreadsheets/${id}${rest}`
const RAW = { valueInputOption: 'RAW' }

function authorizeUrl(verifier: string, more: Record<string, string> = {}) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: google.client.id,
    redirect_uri: 'http://127.0.0.1:9/oauth/cb/builder/google-sheets',
    scope: 'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.readonly',
    state: 'some-state',
    access_type: 'offline',
    prompt: 'consent',
    include_granted_scopes: 'true',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return `${google.origin}/o/oauth2/v2/auth?${query}`
}
const exchange = (code: string, verifier: string) =>
  post('/token', {
    grant_type: 'authorization_code',
    code,
    client_id: google.client.id,
    client_secret: google.client.secret,
    redirect_uri: 'http://127.0.0.1:9/oauth/cb/builder/google-sheets',
    code_verifier: verifier,
  })
const refresh = (refreshToken: string) =>
  post('/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: google.client.id,
    client_secret: google.client.secret,
  })
test('a person allows an application, which gets tokens that live an hour and are refreshed', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const back = await consent(authorizeUrl(verifier))
  expect(back.searchParams.get('state')).toBe('some-state')
  const given = await (await exchange(back.searchParams.get('code') ?? '', verifier)).json()
  expect(given).toMatchObject({ token_type: 'Bearer', expires_in: 3599, refresh_token: expect.any(String) })

  const sheet = orders()
  expect((await call('GET', path(sheet.id), { token: given.access_token })).status).toBe(200)
  clock.pass(3_600)
  const late = await call('GET', path(sheet.id), { token: given.access_token })
  expect(late).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } })
  const again = await (await refresh(given.refresh_token)).json()
  expect(again.refresh_token).toBeUndefined()
  expect((await call('GET', path(sheet.id), { token: again.access_token })).status).toBe(200)

  expect((await post('/revoke', { token: given.refresh_token })).status).toBe(200)
  expect((await call('GET', path(sheet.id), { token: again.access_token })).status).toBe(401)
  const dead = await refresh(given.refresh_token)
  expect({ status: dead.status, body: await dead.json() }).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  })
})

test('the consent page says that it is not the vendor; a denial, a wrong verifier and a second use give no tokens', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const page = await (await fetch(authorizeUrl(verifier))).text()
  expect(page).toContain('This is not Google.')
  const denied = await consent(authorizeUrl(verifier), { decision: 'deny' })
  expect(denied.searchParams.get('error')).toBe('access_denied')
  expect(denied.searchParams.get('state')).toBe('some-state')

  const wrong = await consent(authorizeUrl(verifier))
  expect((await exchange(wrong.searchParams.get('code') ?? '', randomBytes(32).toString('base64url'))).status).toBe(400)
  const code = (await consent(authorizeUrl(verifier))).searchParams.get('code') ?? ''
  const given = await (await exchange(code, verifier)).json()
  expect((await exchange(code, verifier)).status).toBe(400)
  // a code that was used twice may have been stolen: what it gave is ended
  expect((await call('GET', path(orders().id), { token: given.access_token })).status).toBe(401)

  const late = (await consent(authorizeUrl(verifier))).searchParams.get('code') ?? ''
  clock.pass(601)
  expect((await exchange(late, verifier)).status).toBe(400)
  const unknown = await fetch(authorizeUrl(verifier, { client_id: 'nobody' }))
  expect({ status: unknown.status, text: await unknown.text() }).toMatchObject({
    status: 400,
    text: expect.stringContaining('No application has the id'),
  })
})

test('a person may leave scopes out, and a second consent without prompt gives no refresh token', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const scope = 'https://www.googleapis.com/auth/drive.readonly'
  const back = await consent(authorizeUrl(verifier, { prompt: 'select_account' }), {
    decision: 'allow',
    scopes: [scope],
  })
  const given = await (await exchange(back.searchParams.get('code') ?? '', verifier)).json()
  expect(given.scope).toBe(scope)
  expect(given.refresh_token).toBeUndefined()
  const sheet = orders()
  const write = await call('PUT', path(sheet.id, '/values/A1'), {
    token: given.access_token,
    query: RAW,
    body: { values: [['x']] },
  })
  expect(write).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } })
})

test('a service account proves itself with its key, and reaches only what is shared with it', async () => {
  const key = google.addServiceAccount('writer')
  const claims = { scope: 'https://www.googleapis.com/auth/spreadsheets', aud: key.token_uri }
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const ask = (assertion: string) => post('/token', { grant_type, assertion })
  const given = await (await ask(signAssertion(key, claims, clock()))).json()
  const sheet = orders()
  expect((await call('GET', path(sheet.id), { token: given.access_token })).status).toBe(404)
  sheet.sharedWith.push(key.client_email)
  expect((await call('GET', path(sheet.id), { token: given.access_token })).status).toBe(200)

  const other = google.addServiceAccount('other')
  const forged = signAssertion({ ...other, client_email: key.client_email }, claims, clock())
  expect(await (await ask(forged)).json()).toMatchObject({ error: 'invalid_grant' })
  const elsewhere = signAssertion(key, { ...claims, aud: 'https://elsewhere.example/token' }, clock())
  expect((await ask(elsewhere)).status).toBe(400)
  const old = signAssertion(key, claims, clock())
  clock.pass(4_000)
  expect((await ask(old)).status).toBe(400)
})
