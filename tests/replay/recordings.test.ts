import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Reply, replySchema } from '../../engine/flow/conversation'
import { createCountingIds } from '../../engine/flow/ids'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram, type Program } from '../../engine/run/program'
import { converse } from '../../engine/run/recording'
import { parseRecordings, serialiseRecordings } from '../../engine/run/recordingFormat'
import { recordConversation, replayRecording } from '../../engine/run/recordingReplay'
import { stillRuntime } from '../support/conversations'
import { typebotFiles, typebotSource } from '../support/typebot'
import { randomProgram, randomReply } from './randomFlows'

/** A random visitor's conversation, kept, written, read and replayed, is the same one. */
function expectSame(program: Program, rolls: readonly number[]): void {
  const replies: Reply[] = []
  converse(
    program,
    (request, turn) => {
      const roll = rolls[turn]
      if (roll === undefined) return null
      // what no client can send is in no recording
      const sent = replySchema.safeParse(randomReply(request, roll))
      const reply: Reply = sent.success ? sent.data : { type: 'skip' }
      replies.push(reply)
      return reply
    },
    stillRuntime,
  )
  const turns = [null, ...replies].map((reply) => ({ reply, answers: [] }))
  const recording = recordConversation(program, { name: 'A', event: { type: 'start' }, variables: {}, turns })
  const [read] = parseRecordings(serialiseRecordings([recording]))
  expect(read).toEqual(recording)
  const { differences, present } = replayRecording(program, recording)
  expect(differences.filter(Boolean)).toEqual([])
  expect(present).toEqual(recording)
}

const rolls = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 })

test('of random flows', () => {
  fc.assert(fc.property(randomProgram, rolls, expectSame), { seed: 12, numRuns: 200 })
})

test.each(typebotFiles())('of %s', (name) => {
  const program = createProgram(importFlow(typebotSource(name), registry, createCountingIds('p')).flow, registry)
  fc.assert(
    fc.property(rolls, (some) => expectSame(program, some)),
    { seed: 12, numRuns: 20 },
  )
})
