import { expect, test } from 'vitest'
import { isAllowed, parseFeatureRoles } from './roles'

const map = parseFeatureRoles(btoa('{"chatbots":{"view":[1,6],"delete":[1]}}'))

test('any of the roles in the feature’s list allows it', () => {
  expect(isAllowed('chatbots.view', [3, 6], map)).toBe(true)
  expect(isAllowed('chatbots.delete', [3, 6], map)).toBe(false)
})

test('no role, no map, no entry: denied', () => {
  expect(isAllowed('chatbots.view', [], map)).toBe(false)
  expect(isAllowed('chatbots.view', [1], null)).toBe(false)
  expect(isAllowed('chatbots.fly', [1], map)).toBe(false)
  expect(isAllowed('constructor.name', [1], map)).toBe(false)
})

test('a map that can’t be read denies everything', () => {
  expect(parseFeatureRoles('%%%')).toBeNull()
  expect(parseFeatureRoles(btoa('[1]'))).toBeNull()
})
