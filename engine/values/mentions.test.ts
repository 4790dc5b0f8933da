import { expect, test } from 'vitest'
import { mentionParts, mentionsIn, readMentions, writeMentions } from './mentions'

const ada = { gid: 'a'.repeat(16), name: 'Ada' }
const lovelace = { gid: 'b'.repeat(16), name: 'Ada Lovelace' }
const nameOf = (gid: string) => [ada, lovelace].find((person) => person.gid === gid)?.name ?? 'former member'

test('what was typed with names goes to mentions and back', () => {
  const typed = 'Hi @Ada Lovelace, ask @Ada (or @ada).\nada@Ada @Adam'
  const body = writeMentions(typed, [ada, lovelace])
  expect(body).toBe(`Hi <@${lovelace.gid}>, ask <@${ada.gid}> (or @ada).\nada@Ada @Adam`)
  expect(readMentions(body, nameOf)).toBe(typed)
  expect(mentionsIn(`${body} <@${ada.gid}>`)).toEqual([lovelace.gid, ada.gid])
})

test('a text is words and people, in their order', () => {
  expect(mentionParts(`<@${ada.gid}> and\n<@${lovelace.gid}>`)).toEqual([
    { gid: ada.gid },
    { text: ' and\n' },
    { gid: lovelace.gid },
  ])
  expect(mentionParts('<@short> plain')).toEqual([{ text: '<@short> plain' }])
  expect(mentionParts('')).toEqual([])
})

test('nobody is named by an empty name', () => {
  expect(writeMentions('@ @', [{ gid: ada.gid, name: '' }])).toBe('@ @')
})
