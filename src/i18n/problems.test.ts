import { expect, test } from 'vitest'
import { problemTexts, reasonTexts, remedyTexts } from '../../engine/check/texts'
import problems from './en/problems.json'

test('the interface has a text for each diagnostic and each remedy, in English the checker’s own', () => {
  expect(problems.codes).toEqual(
    Object.fromEntries(Object.entries(problemTexts).map(([code, [, text]]) => [code, text])),
  )
  expect(problems.remedies).toEqual(remedyTexts)
  expect(problems.reasons).toEqual(reasonTexts)
})
