import { expect, test } from 'vitest'
import { versionState } from './graphVersions'

test.each([
  ['v24.0', '2026-11-30', '2027-10-08', 'fine'],
  ['v22.0', '2026-10-22', '2027-01-21', 'fine'],
  ['v22.0', '2026-10-24', '2027-01-21', 'ends-soon'],
  ['v22.0', '2027-01-21', '2027-01-21', 'over'],
  // older than all that are known, and newer
  ['v17.0', '2026-11-30', null, 'over'],
  ['v31.0', '2026-11-30', null, 'fine'],
])('%s on %s is promised until %s: %s', (version, day, ends_on, state) => {
  expect(versionState(version, new Date(day))).toEqual({ version, ends_on, state })
})
