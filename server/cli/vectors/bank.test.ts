import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readBank } from './bank.mjs'

const made: string[] = []
afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true })
})

async function bankOf(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'bank-'))
  made.push(folder)
  await writeFile(join(folder, 'pets.txt'), text)
  return readBank(folder)
}

test('the bank is read whole: no line of another form, and none that stands there twice', () => {
  const topics = readBank(join(import.meta.dirname, 'asked'))
  expect(topics.length).toBeGreaterThan(150)
  expect(topics.flatMap(({ asked }) => asked).length).toBeGreaterThan(5_000)
})

test('a topic has what pages say and what visitors ask, without the language', async () => {
  const topics = await bankOf('= dogs\n> en Dogs are welcome.\n? de darf der wauzi mit\n? en my spaniel?\n')
  expect(topics).toEqual([
    { file: 'pets.txt', name: 'dogs', said: ['Dogs are welcome.'], asked: ['darf der wauzi mit', 'my spaniel?'] },
  ])
})

test('a line of another form, one that stands there twice and a topic that nobody asks for are named', async () => {
  const dogs = '= dogs\n> en Dogs are welcome.\n? en my spaniel?\n'
  await expect(bankOf(`${dogs}? xx my spaniel?\n`)).rejects.toThrow('pets.txt:4: neither')
  await expect(bankOf(`${dogs}\n= cats\n> en Cats too.\n? en my spaniel?\n`)).rejects.toThrow('pets.txt:7: stands')
  await expect(bankOf(`${dogs}\n= cats\n> en Cats too.\n`)).rejects.toThrow('nothing is said, or asked, of “cats”')
})
