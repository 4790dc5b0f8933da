import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GoogleStandIn } from '../../../server/sandbox/google/google'
import { createTestClock, type TestClock } from '../clock'
import { startGoogle } from './google/startGoogle'
import { createVendorCaller } from './vendorCaller'

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

test('a script of faults happens in its order to the calls that it names', async () => {
  const { id } = orders()
  const get = () => fetch(`${google.origin}${path(id)}`, { headers: { authorization: `Bearer ${token}` } })
  for (const [fault, status] of [
    ['unauthorized', 401],
    ['forbidden', 403],
    ['conflict', 409],
    ['serverError', 500],
    ['serverErrorAfterWrite', 500],
  ] as const) {
    google.fail({ on: `GET ${path(id)}`, with: fault })
    expect((await call('GET', path(id))).status).toBe(status)
    expect((await call('GET', path(id))).status).toBe(200)
  }
  google.fail({ on: 'GET *', with: 'tooMany', retryAfter: 7, times: 2, after: 1 })
  expect((await get()).status).toBe(200)
  expect((await get()).headers.get('retry-after')).toBe('7')
  google.faults.clear()
  google.fail({ on: '*', with: 'tooMany' })
  expect((await get()).headers.get('retry-after')).toBeNull()
  google.fail({ on: '*', with: 'html' })
  expect(await (await get()).text()).toContain('<!doctype html>')
  google.fail({ on: '*', with: 'halfJson' })
  await expect(get().then((answer) => answer.json())).rejects.toThrow(SyntaxError)
  google.fail({ on: '*', with: 'slow', seconds: 30 })
  const slow = get()
  await expect.poll(() => google.calls.at(-1)?.status).toBe(null)
  clock.pass(30)
  expect((await slow).status).toBe(200)
  google.fail({ on: '*', with: 'tokenRevoked' })
  expect((await get()).status).toBe(401)
  expect((await get()).status).toBe(401)
  expect(google.faults.left).toEqual([])
})

test('a page elsewhere can’t reach a stand-in', async () => {
  const { status } = await fetch(`${google.origin}/token`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
  })
  expect(status).toBe(403)
})
