import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextTurn } from './nextTurn'

test('of several long works one piece goes on in a turn of the event loop, each in its turn', async () => {
  const turns: string[][] = []
  let turn: string[] = []
  let going = 3
  const work = async (name: string) => {
    for (let piece = 0; piece < 4; piece++) {
      await nextTurn()
      turn.push(name)
    }
    going -= 1
  }
  const works = ['a', 'b', 'c'].map(work)
  while (going > 0) {
    await tick()
    turns.push(turn)
    turn = []
  }
  await Promise.all(works)
  expect(Math.max(...turns.map(({ length }) => length))).toBe(1)
  expect(turns.flat().join('')).toBe('abcabcabcabc')
})
