import { defineBlock } from '../../engine/flow/defineBlock'
import { say } from '../../engine/flow/steps'
import { textPart } from '../../engine/flow/visitorParts'
import { richTextToString, richTextVariables } from '../../engine/values/richText'
import { textFromDify } from './fromDify'
import { textFromFlowise } from './fromFlowise'
import { textFromTypebot } from './import'
import { textDefaults, textSchema } from './schema'

/** Says a rich text, unless it is blank once rendered. */
export const text = defineBlock({
  kind: 'text',
  category: 'bubble',
  title: 'Text',
  help: 'Sends a message.',
  schema: textSchema,
  defaults: textDefaults,
  richTexts: ['content'],
  visitorTexts: ['content'],
  visitorParts: ({ content }) => [textPart('content', content)],
  ports: () => [{ id: 'next' }],
  reads: (data) => richTextVariables(data.content),
  problems: ({ content }) =>
    richTextToString(content, () => 'variable').trim() === '' ? [{ path: 'content', message: 'Write a message' }] : [],
  importers: [textFromTypebot, textFromDify, textFromFlowise],
  *run(data) {
    yield* say(data.content)
    return 'next'
  },
})
