import { expect, test } from 'vitest'
import { choiceOf, countChosen, isChosen, toggled } from './pageChoice'

test('all pages are chosen but those taken out, also pages that are found later', () => {
  const choice = toggled(toggled(toggled(choiceOf('all'), '/a'), '/b'), '/b')
  expect(['/a', '/b', '/found-later'].map((url) => isChosen(choice, url))).toEqual([false, true, true])
  expect(countChosen(choice, 10)).toBe(9)
})

test('after “none”, those alone that are ticked', () => {
  const choice = toggled(choiceOf('some'), '/a')
  expect(['/a', '/b'].map((url) => isChosen(choice, url))).toEqual([true, false])
  expect(countChosen(choice, 10)).toBe(1)
})
