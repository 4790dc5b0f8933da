import { z } from 'zod'
import type { IdSource } from '../../../engine/flow/ids'
import type { Registry } from '../../../engine/flow/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { jsonSchema } from '../../../engine/values/json'
import { plainRichText } from '../../../engine/values/richText'

/**
 * The flow of a chatbot of version 1 (SPEC.md 3), which nobody draws: it asks, answers from the sources, and goes on so
 * until the visitor leaves.
 */
export function answeringFlow(registry: Registry, ids: IdSource): Flow {
  const block = (name: string, more: object = {}): Block => {
    const kind = registry.kinds.find((each) => each.kind === name)
    if (!kind) throw new Error(`There is no kind ${name}`)
    const data = z.record(z.string(), jsonSchema).parse({ ...(kind.defaults(ids) as object), ...more })
    return { id: ids(), kind: name, version: kind.migrations.length, data }
  }
  const ask = (prompt: string) => block('text-input', { prompt: plainRichText(prompt) })
  const answer = block('ai-answer', { source: 'knowledge' })
  const questions = {
    first: ask('What would you like to know?'),
    next: ask(''),
    again: ask('I have no answer to that. Please ask in other words.'),
  }
  const group = (title: string, x: number, y: number, ...blocks: Block[]) => ({
    ...{ id: ids(), title, blocks },
    position: { x, y },
  })
  const answering = group('Answer', 400, 0, answer)
  const next = group('Next question', 800, 0, questions.next)
  const again = group('No answer', 800, 320, questions.again)
  const edge = (from: Block, portId: string, { id: groupId }: { id: string }) => ({
    ...{ from: { blockId: from.id, portId }, to: { groupId } },
  })
  return {
    ...emptyFlow(),
    groups: [group('Start', 0, 0, block('start'), questions.first), answering, next, again],
    edges: [
      ...Object.values(questions).flatMap((question) => [
        edge(question, 'next', answering),
        edge(question, 'invalid', next),
      ]),
      edge(answer, 'next', next),
      edge(answer, 'not-found', again),
    ],
  }
}
