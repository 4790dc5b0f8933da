import { expect, test } from 'vitest'
import { comparisonOperators } from '../../engine/values/compare'
import { operatorGroups } from './operatorText'

test('every comparison is offered, in one group', () => {
  expect(operatorGroups.flatMap(({ operators }) => operators).sort()).toEqual([...comparisonOperators].sort())
})
