import { expect, test } from 'vitest'
import { presentInvitation } from './presenter'

const invited = {
  gid: 'i1',
  email: 'ben@example.org',
  roles: [6, 4],
  first_name: 'Ada',
  last_name: 'Lovelace',
  created_at: new Date('2026-11-01T00:00:00Z'),
  expires_at: new Date('2026-11-08T00:00:00Z'),
} as Parameters<typeof presentInvitation>[0]
const at = (time: string, change: object = {}) => presentInvitation({ ...invited, ...change }, new Date(time))

test('an invitation names who sent it, or nobody who is gone, and its roles in order', () => {
  expect(at('2026-11-02T00:00:00Z')).toEqual({
    gid: 'i1',
    email: 'ben@example.org',
    roles: [4, 6],
    invited_by: 'Ada Lovelace',
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: '2026-11-08T00:00:00.000Z',
    expired: false,
  })
  expect(at('2026-11-02T00:00:00Z', { first_name: null, last_name: null }).invited_by).toBeNull()
})

test('an invitation has expired from its moment on', () => {
  expect(at('2026-11-07T23:59:59.999Z').expired).toBe(false)
  expect(at('2026-11-08T00:00:00Z').expired).toBe(true)
})
