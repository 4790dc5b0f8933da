import { expect, test } from 'vitest'
import { DatabaseUnavailable } from './database/unavailable'
import { ApiError, type ApiErrorCode, apiErrors, retryAfter, toApiError } from './errors'

test.each<[object, ApiErrorCode, number]>([
  [{ statusCode: 413 }, 'too_large', 413],
  [{ statusCode: 415 }, 'unsupported_type', 415],
  [{ statusCode: 400 }, 'malformed', 400],
  [{ statusCode: 418 }, 'malformed', 400],
  [{ statusCode: 500 }, 'internal', 500],
  [{ statusCode: 'none' }, 'internal', 500],
  [{ code: '22021' }, 'invalid', 422],
  [{ code: '22P05' }, 'invalid', 422],
  [{ code: '23505' }, 'conflict', 409],
  [{ code: '40001' }, 'conflict', 409],
  [{ code: '40P01' }, 'conflict', 409],
  [{ code: '57014' }, 'too_slow', 503],
  [{ statusCode: 404 }, 'not_found', 404],
  [{ statusCode: 429 }, 'too_many_requests', 429],
  [{ statusCode: 503 }, 'overloaded', 503],
  // contains one of PostgreSQL's codes
  [{ code: 'ERR_53ABC' }, 'internal', 500],
  [{ code: '53ABCD' }, 'internal', 500],
  [{ code: 'ECONNREFUSED' }, 'internal', 500],
  ...['08006', '57P01', '57P02', '57P03', '53300', '53200', '58030', '58P01'].map(
    (code) => [{ code }, 'unavailable', 503] as [object, ApiErrorCode, number],
  ),
  ...['53100', 'ENOSPC', 'EDQUOT'].map((code) => [{ code }, 'storage_full', 507] as [object, ApiErrorCode, number]),
  [{ code: 'EMFILE' }, 'unavailable', 503],
  [{ message: 'driver has already been destroyed' }, 'unavailable', 503],
  [{ cause: new DatabaseUnavailable('gone') }, 'unavailable', 503],
])('an error with %j becomes %s', (properties, code, status) => {
  const thrown = Object.assign(new Error('inner words'), properties)
  const error = toApiError(thrown)
  expect(error).toMatchObject({ code, status, cause: thrown })
  expect(JSON.stringify(error.envelope)).not.toContain('inner words')
})

test.each([undefined, null, 'a string', 7, {}])('%j, thrown, becomes an internal error', (thrown) => {
  expect(toApiError(thrown)).toMatchObject({ code: 'internal', status: 500 })
})

test('ours stays what it is', () => {
  const ours = new ApiError('invalid', { fields: { name: 'Required' } })
  expect(toApiError(ours)).toBe(ours)
  expect(ours.envelope).toEqual({
    success: false,
    code: 'invalid',
    data: { message: 'Fix the errors in the form and retry', fields: { name: 'Required' } },
  })
})

// programs go by them: what is here stays
const statuses: [number, ApiErrorCode[]][] = [
  [400, ['malformed', 'nested_too_deeply']],
  [401, ['unauthenticated']],
  [402, ['card_refused']],
  [
    403,
    [
      'forbidden',
      'plan_limit',
      'over_limit',
      'setup_required',
      'registration_closed',
      'chat_closed',
      'visitor_blocked',
      'password_required',
      'login_required',
      'project_suspended',
      'account_suspended',
      'viewing_only',
      'second_factor_required',
      'address_not_allowed',
      'sign_on_required',
      'organisation_needed',
    ],
  ],
  [404, ['not_found']],
  [
    409,
    [
      'organisation_asks',
      'logged_in',
      'login_expired',
      'conflict',
      'conversation_closed',
      'conversation_merged',
      'colleague_answered',
      'setup_missing',
      'agents_only',
      'sample_only',
    ],
  ],
  [409, ['no_subscription', 'subscribed_already', 'subscription_ends', 'change_planned', 'project_subscribed']],
  [413, ['too_large']],
  [415, ['unsupported_type']],
  [419, ['session_expired']],
  [422, ['invalid', 'flow_errors', 'wrong_password', 'credentials', 'unsafe_file']],
  [429, ['too_many_requests', 'visitor_limit', 'upload_limit']],
  [500, ['internal']],
  [503, ['overloaded', 'unavailable', 'scan_failed', 'too_slow', 'billing_unset', 'billing_unavailable']],
  [507, ['project_full', 'storage_full']],
]

test('each code has its status, and a sentence of its own', () => {
  for (const [status, codes] of statuses)
    for (const code of codes) expect(new ApiError(code), code).toMatchObject({ status, message: apiErrors[code].text })
  expect(statuses.flatMap(([, codes]) => codes).toSorted()).toEqual(Object.keys(apiErrors).toSorted())
  const texts = Object.values(apiErrors).map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
})

test('an answer is a sentence, or that with the fields and details that are given', () => {
  const data = (options: ConstructorParameters<typeof ApiError>[1]) => new ApiError('invalid', options).envelope.data
  expect(data({})).toBe('Fix the errors in the form and retry')
  expect(data({ message: 'Fix it' })).toBe('Fix it')
  expect(data({ message: 'Fix it', details: { left: 2 } })).toEqual({ message: 'Fix it', left: 2 })
  expect(data({ message: 'Fix it', fields: { a: 'b' } })).toEqual({ message: 'Fix it', fields: { a: 'b' } })
  expect(data({ message: 'Fix it', fields: { a: 'b' }, details: { left: 2 } })).toEqual({
    message: 'Fix it',
    fields: { a: 'b' },
    left: 2,
  })
  expect(new ApiError('invalid', { retryAfter: 3, cause: 'why' })).toMatchObject({ retryAfter: 3, cause: 'why' })
})

test('who is refused for now is told when to come back: in a minute, or in seconds where only the server has much to do', () => {
  expect(retryAfter).toEqual({ 429: 60, 503: 5, 507: 60 })
})
