import { expect, test } from 'vitest'
import { DatabaseUnavailable } from './database/unavailable'
import { ApiError, type ApiErrorCode, toApiError } from './errors'

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
