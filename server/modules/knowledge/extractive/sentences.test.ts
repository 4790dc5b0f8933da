import { expect, test } from 'vitest'
import { sentencesOf } from './sentences'

const texts = (text: string) => sentencesOf(text).map((sentence) => sentence.text)

test('German ordinals end no sentence, and numbers of other kinds do', () => {
  expect(texts('Er starb am 7. Januar 1943 in der Stadt. Im 19. Jahrhundert lebten dort viele.')).toEqual([
    'Er starb am 7. Januar 1943 in der Stadt.',
    'Im 19. Jahrhundert lebten dort viele.',
  ])
  expect(texts('The record stands at 39. He holds it since May.')).toHaveLength(2)
})

test('a sentence may begin with a number, also after a shortened word that does not end one', () => {
  expect(texts('His work was forgotten. 1960 a unit was named after him. It has approx. 7 parts.')).toEqual([
    'His work was forgotten.',
    '1960 a unit was named after him.',
    'It has approx. 7 parts.',
  ])
})

test('each sentence stands in the text where it says', () => {
  const text = '# Head\n\n- One point. Another one. 3 more of them.\n\n| a | b |'
  for (const { text: said, start } of sentencesOf(text)) expect(text.slice(start, start + said.length)).toBe(said)
})
