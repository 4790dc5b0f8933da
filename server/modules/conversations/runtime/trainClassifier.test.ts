import { expect, test } from 'vitest'
import { trainIntents } from '../../../../engine/intents/trainIntents'
import type { RunTask } from '../../../platform/workers/createThreads'
import { carryOut } from '../../../platform/workers/defineTask'
import { TaskError } from '../../../platform/workers/taskError'
import { loadFindMeaning } from '../../knowledge/meaning/findMeaning'
import { learnIntents } from './trainClassifier'

const find = await loadFindMeaning()

const intents = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    blockId: `b${at}`,
    phrases: ['what does it cost', 'when do you open', 'where is my parcel', 'can I pay later'].map(
      (p) => `${p} ${at}`,
    ),
  }))

test('many phrases are learnt in a thread, as they would be here; few are learnt at once', async () => {
  const asked: string[] = []
  const run: RunTask = (task, input, options) => {
    asked.push(`${task.name} of ${options?.owner}`)
    return carryOut(task, input)
  }
  const many = intents(20)
  expect(await learnIntents(many, { run, owner: 'p' })).toEqual(trainIntents(many, find))
  expect(asked).toEqual(['trainIntents of p'])
  expect(await learnIntents(intents(3), { run, owner: 'p' })).toEqual(trainIntents(intents(3), find))
  expect(await learnIntents([], { run, owner: 'p' })).toBeNull()
  expect(asked).toHaveLength(1)
})

test('what takes longer than a thread may is refused in words', async () => {
  const run = (async () => {
    throw new TaskError('slow', 'too slow')
  }) as unknown as RunTask
  await expect(learnIntents(intents(20), { run, owner: 'p' })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('phrases'),
  })
})
