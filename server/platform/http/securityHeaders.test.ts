import { expect, test } from 'vitest'
import { securityHeaders } from './securityHeaders'

test('the headers are those that helmet sets for the options, with names in lower case', () => {
  const headers = securityHeaders({ frameguard: { action: 'deny' }, strictTransportSecurity: false })
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  expect(headers).not.toHaveProperty('strict-transport-security')
  expect(Object.keys(headers)).toEqual(Object.keys(headers).map((name) => name.toLowerCase()))
})
